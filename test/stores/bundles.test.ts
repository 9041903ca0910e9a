import { it } from 'vitest'
import { BUNDLES, playBundle } from './bundles.ts'

it.each(BUNDLES)('%s', (name) => playBundle(name))
