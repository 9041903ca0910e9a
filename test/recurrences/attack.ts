// Owns the attack on recurrences (F10, F11, G11): three schedulers move one virtual clock over the same recurrences, each
// killed at random instants and begun again. What then stands in the store is held against the schedules themselves.

import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { realTimers } from '../../src/engine/clock.ts'
import { Pawl } from '../../src/index.ts'
import { type Chance, chanceOf } from '../crash/crew.ts'
import { bundleOf } from '../processes/bundle.ts'
import { memoryFolder } from '../stores/memory-folder.ts'
import { createDatabase, releaseServer, type Server, useServer } from '../stores/postgres-server.ts'
import type { SchedulerPart } from './scheduler.ts'

export interface Size {
  readonly schedules: number
  readonly days: number
  readonly kills: number
}

export interface Told {
  readonly kills: number
  readonly occurrences: number
  /** Two rows, two actions, or a row that the schedule does not name. */
  readonly doubled: readonly string[]
  /** No row, or no action that succeeded. */
  readonly lost: readonly string[]
  /** Actions that were given up because five processes were killed over each. */
  readonly poisoned: number
  /** What verify says. */
  readonly findings: readonly string[]
}

const PROGRAM = new URL('scheduler.ts', import.meta.url)
const CHAIRS = 3
const LEASE_MS = 400
const MINUTE = 60_000
const DAY = 86_400_000
/** Over the night on which clocks go forward in Europe. */
const START = Date.UTC(2026, 2, 27)
const LONGEST_LIFE_MS = 1500

const CRONS = ['*/30 * * * *', '15 1,2,3 * * *', '0 9 * * *', '30 2 * * *', '0 */5 * * *'] as const
const ZONES = ['Europe/London', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'UTC'] as const

/** Few fire often, most now and then. */
const settingsOf = (n: number) => ({
  id: `r_${n}`,
  cron: n % 25 === 0 ? CRONS[0] : CRONS[1 + (n % 4)]!,
  timezone: ZONES[n % ZONES.length]!,
  do: { type: 'note', config: {} },
})

/** Killed at an instant drawn from the seed; true when it was, false when it had come to its end before. */
const live = async (part: SchedulerPart, lifeMs: number | undefined): Promise<boolean> => {
  const { program, env } = await bundleOf(PROGRAM)
  const child = spawn(process.execPath, [program, JSON.stringify(part)], {
    env,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const ended = new Promise<boolean>((resolve, reject) => {
    child.once('exit', (code, signal) => {
      if (signal === 'SIGKILL') resolve(true)
      else if (code === 0) resolve(false)
      else reject(new Error(`a scheduler ended with ${code ?? signal}`))
    })
  })
  if (lifeMs !== undefined) {
    await Promise.race([realTimers.sleep(lifeMs), ended])
    child.kill('SIGKILL')
  }
  return ended
}

/** Schedulers in their chairs until so many were killed, and then until the end of time. */
const storm = async (part: SchedulerPart, kills: number, chance: Chance): Promise<number> => {
  let [begun, killed] = [0, 0]
  const chair = async (): Promise<void> => {
    while (begun < kills) {
      begun += 1
      if (await live(part, chance.below(LONGEST_LIFE_MS))) killed += 1
    }
    await live(part, undefined)
  }
  await Promise.all(Array.from({ length: CHAIRS }, chair))
  // Leases run by real time: what a killed one held when the others came to the end is free only now.
  await realTimers.sleep(2 * part.leaseMs)
  await live({ ...part, end: part.end + MINUTE }, undefined)
  return killed
}

const allOf = async (pawl: Pawl, id: string) => {
  const rows: Awaited<ReturnType<Pawl['recurring']['history']>>['data'][number][] = []
  let after: string | undefined
  do {
    const page = await pawl.recurring.history(id, { limit: 250, ...(after && { after }) })
    rows.push(...page.data)
    after = page.next
  } while (after !== undefined)
  return rows
}

const judge = async (
  pawl: Pawl,
  foretold: ReadonlyMap<string, readonly string[]>,
): Promise<Omit<Told, 'kills'>> => {
  const [doubled, lost]: [string[], string[]] = [[], []]
  let [occurrences, poisoned] = [0, 0]
  const isPoisoned = async (action: string): Promise<boolean> =>
    (await pawl.actions.get(action))?.error?.type === 'poison'
  for (const [id, instants] of foretold) {
    const rows = await allOf(pawl, id)
    occurrences += rows.length
    const told = new Set(rows.map(({ at }) => at))
    const actions = new Set(rows.flatMap(({ action }) => action ?? []))
    for (const at of instants) if (!told.has(at)) lost.push(`${id} ${at}`)
    for (const { at, outcome, action } of rows) {
      if (!instants.includes(at)) doubled.push(`${id} ${at} is no occurrence of it`)
      if (outcome === 'succeeded') continue
      if (outcome === 'dead' && (await isPoisoned(action!))) poisoned += 1
      else lost.push(`${id} ${at} came to ${outcome}`)
    }
    if (actions.size !== instants.length) doubled.push(`${id} has ${actions.size} actions`)
    const { executionCount } = (await pawl.recurring.get(id))!
    if (executionCount !== instants.length) doubled.push(`${id} counts ${executionCount}`)
  }
  const { findings } = await pawl.verify()
  return { occurrences, doubled, lost, poisoned, findings: findings.map(({ text }) => text) }
}

export const stormRecurrences = async (
  server: Server | undefined,
  { schedules, days, kills }: Size,
  seed: number,
): Promise<Told> => {
  const folder = mkdtempSync(join(memoryFolder(), 'pawl-recurrences-'))
  const store = server === undefined ? `sqlite:${join(folder, 'pawl.db')}` : await createDatabase(server)
  const clock = `virtual:${new Date(START).toISOString()}`
  const pawl = await Pawl.open({ store, clock, builtIns: false, log: () => undefined })
  try {
    const end = START + days * DAY
    const foretold = new Map<string, readonly string[]>()
    for (let n = 0; n < schedules; n++) {
      const settings = settingsOf(n)
      await pawl.recurring.create(settings)
      const next = await pawl.recurring.next(settings, 1000)
      foretold.set(
        settings.id,
        next.filter((at) => Date.parse(at) <= end),
      )
    }
    const killed = await storm({ store, start: START, end, leaseMs: LEASE_MS }, kills, chanceOf(seed))
    return { kills: killed, ...(await judge(pawl, foretold)) }
  } finally {
    await pawl.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

const isClean = ({ doubled, lost, findings }: Told): boolean =>
  doubled.length + lost.length + findings.length === 0

/** For `npm run torture`. */
export const recurrences = async (isQuick: boolean, seed = 1) => {
  const [onSqlite, onPostgres]: readonly [Size, Size] = isQuick
    ? [
        { schedules: 8, days: 2, kills: 6 },
        { schedules: 6, days: 1, kills: 3 },
      ]
    : [
        { schedules: 500, days: 7, kills: 1000 },
        { schedules: 500, days: 7, kills: 200 },
      ]
  const server = await useServer()
  try {
    const sqlite = await stormRecurrences(undefined, onSqlite, seed)
    const postgres = await stormRecurrences(server, onPostgres, seed + 1000)
    return { isHeld: isClean(sqlite) && isClean(postgres), summary: { seed, sqlite, postgres } }
  } finally {
    await releaseServer()
  }
}
