// Owns what is measured from outside, on processes of their own: (G) memory per queued action and under load, (H) the time from
// the start of a program to its first action, beside Node itself. Programs run as users run them: compiled to JavaScript.

import { spawn, spawnSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { bytes, type Figure, milliseconds, type Readings } from './figure.ts'
import type { Ground } from './ground/ground.ts'
import { race } from './rounds.ts'
import type { Scene } from './scene.ts'

const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Time from the start of the process to its first word, or what it said. */
const firstWord = (options: readonly string[]): Promise<{ readonly ms: number; readonly word: string }> =>
  new Promise((resolve, reject) => {
    const since = performance.now()
    const child = spawn(process.execPath, options, { stdio: ['ignore', 'pipe', 'inherit'] })
    let said: { readonly ms: number; readonly word: string } | undefined
    child.stdout.on('data', (word: Buffer) => {
      said ??= { ms: performance.now() - since, word: String(word) }
    })
    child.once('exit', (code) =>
      said !== undefined && code === 0
        ? resolve(said)
        : reject(new Error(`${options.at(-1)} ended with ${code}`)),
    )
  })

/** Where the package's own build goes, beside the modules it imports. */
const BUILT = pathOf('../.cache/bench/')

let isBuilt = false

const build = (): void => {
  if (isBuilt) return
  rmSync(BUILT, { recursive: true, force: true })
  const options = ['--project', pathOf('tsconfig.json'), '--outDir', BUILT]
  const tsc = pathOf('../node_modules/typescript/bin/tsc')
  const { status } = spawnSync(process.execPath, [tsc, ...options], { stdio: ['ignore', 2, 'inherit'] })
  if (status !== 0 || !existsSync(`${BUILT}bench/children/start.js`))
    throw new Error('the programs cannot be built')
  isBuilt = true
}

const started = async (store: string): Promise<Readings> => {
  const program = `${BUILT}bench/children/start.js`
  const made = await firstWord([program, store])
  const again = await firstWord([program, store])
  return { 'an empty store': made.ms, 'a store that is there': again.ms }
}

const node = async (): Promise<Readings> => {
  const { ms } = await firstWord(['-e', 'process.stdout.write("here")'])
  return { 'an empty store': ms, 'a store that is there': ms }
}

const onFresh = async (ground: Ground, measure: (store: string) => Promise<Readings>): Promise<Readings> => {
  const store = await ground.fresh()
  const readings = await measure(store)
  await ground.drop(store)
  return readings
}

export const processFigures = async ({ extent }: Scene, ground: Ground): Promise<readonly Figure[]> => {
  const { rounds, held } = extent
  build()
  const start = await race({
    name: `${ground.name}: start-up to the first action`,
    rounds,
    ours: { label: 'pawl', race: () => onFresh(ground, started) },
    others: [{ label: 'node alone', race: node }],
    measures: { 'an empty store': milliseconds, 'a store that is there': milliseconds },
  })
  const hold = async (store: string): Promise<Readings> => {
    const program = `${BUILT}bench/children/hold.js`
    return JSON.parse((await firstWord(['--expose-gc', program, store, String(held)])).word)
  }
  const memory = await race({
    name: `${ground.name}: memory with ${held.toLocaleString('en-US')} queued`,
    rounds: 1,
    ours: { label: 'pawl', race: () => onFresh(ground, hold) },
    others: [],
    measures: { 'heap per queued action': bytes, 'peak RSS under load': bytes },
  })
  return [...start, ...memory]
}
