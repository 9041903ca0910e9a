import { afterAll, it } from 'vitest'
import { releaseServer } from '../stores/postgres-server.ts'
import { SCENES } from './scenes.ts'

afterAll(releaseServer)

it.each(SCENES)('$name: does not happen here', ({ play }) => play())
