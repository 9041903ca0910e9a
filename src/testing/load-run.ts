// Owns running a load test's plan on an open Pawl: people arrive over the ramp, each asks for the action, waits for its end,
// rests and asks again until the time is over; then what is under way may end. Time is the Pawl's: virtual or real.

import { permanent, retryable, retryableByType } from '../core/action-error.ts'
import { spread } from '../core/hash.ts'
import type { ParsedMachine } from '../definitions/parse.ts'
import type { Pawl } from '../pawl/surface.ts'
import type { ActionView } from '../pawl/views.ts'
import type { AnyRunner, RunnerDefinition } from '../runners/runner.ts'
import { machineFor } from './action-machine.ts'
import type { LoadScenario, LoadTestPlan } from './load-plan.ts'
import { type LoadReport, type Sample, sumUp } from './load-report.ts'

export interface LoadRunOptions {
  /** One that was opened with what loadTestParts gives. */
  readonly pawl: Pick<Pawl, 'start' | 'send' | 'actions' | 'advance' | 'work' | 'now'>
  /** Whether its clock is moved or passes by itself. Default virtual. */
  readonly time?: 'virtual' | 'real'
  /** After the duration, how long what is under way may take. Default 1 day virtual, 1 minute real. */
  readonly patienceMs?: number
}

interface Asked {
  readonly execution: string
  readonly at: number
  readonly scenario: LoadScenario
}

interface Person {
  nextAt: number
  asked: Asked | undefined
}

/** How often a real run looks whether an action has ended. */
const LOOK_MS = 5
const PATIENCE = { virtual: 86_400_000, real: 60_000 }

/** What a Pawl needs to run a plan: the action on a stage of its own, and runners that fail where the plan says. */
export const loadTestParts = (
  plan: LoadTestPlan,
  runners: readonly AnyRunner[],
): { readonly definitions: readonly [ParsedMachine]; readonly runners: readonly AnyRunner[] } => ({
  definitions: [machineFor(plan.action)],
  runners: runners.map((runner) => (runner.type === plan.action.type ? faulty(plan, runner) : runner)),
})

const idOf = (run: string, scenario: number, count: number): string => `load-${run}-${scenario}-${count}`

const faulty = (plan: LoadTestPlan, runner: AnyRunner): AnyRunner => {
  const execute: RunnerDefinition['execute'] = (work) => {
    const { attempt, executionId = '' } = work.ctx
    const fault = plan.scenarios[Number(executionId.split('-').at(-2))]?.fault
    if (attempt > 1 || fault === undefined || !executionId.startsWith('load-'))
      return runner.definition.execute(work)
    const message = 'the load test asked for it'
    throw retryableByType(fault) ? retryable(fault, message) : permanent(fault, message)
  }
  return { ...runner, definition: { ...runner.definition, execute } }
}

/** By weight, and the same for the same number. */
const scenarioFor = ({ scenarios, actionId }: LoadTestPlan, count: number): number => {
  const total = scenarios.reduce((sum, { weight }) => sum + weight, 0)
  let left = spread(`${actionId}/${count}`) * total
  const chosen = scenarios.findIndex(({ weight }) => {
    left -= weight
    return left < 0
  })
  return Math.max(0, chosen)
}

const hasEnded = ({ status }: ActionView): boolean => status !== 'queued' && status !== 'running'

/** What came of an asking; undefined while it is under way. */
const sampleOf = async (
  pawl: LoadRunOptions['pawl'],
  { execution, at, scenario }: Asked,
): Promise<Sample | undefined> => {
  const [listed] = (await pawl.actions.list({ execution }, { limit: 1 })).data
  if (listed === undefined || !hasEnded(listed)) return undefined
  const action = (await pawl.actions.get(listed.id))!
  const endedAt = Date.parse(action.finishedAt!)
  return { scenario: scenario.name, endedAt, latency: Math.max(0, endedAt - at), action }
}

const createCrowd = (plan: LoadTestPlan, pawl: LoadRunOptions['pawl']) => {
  const definition = machineFor(plan.action).id
  const start = pawl.now()
  const run = start.toString(36)
  const people = Array.from(
    { length: plan.concurrency },
    (_, index): Person => ({
      nextAt: Math.floor((plan.rampUpTime * index) / plan.concurrency),
      asked: undefined,
    }),
  )
  const samples: Sample[] = []
  let count = 0

  const ask = async (person: Person): Promise<void> => {
    const index = scenarioFor(plan, count)
    const scenario = plan.scenarios[index]!
    const execution = idOf(run, index, count)
    count += 1
    person.asked = { execution, at: pawl.now(), scenario }
    const { id } = await pawl.start(definition, { id: execution, variables: scenario.variables })
    await pawl.send(id, scenario.message.type, scenario.message.payload, { id: `${execution}/message` })
  }
  const look = async (person: Person): Promise<void> => {
    const sample = person.asked && (await sampleOf(pawl, person.asked))
    if (sample === undefined) return
    samples.push(sample)
    person.asked = undefined
    person.nextAt = sample.endedAt - start + plan.pause
  }
  const elapsed = (): number => pawl.now() - start
  const unfinished = (): number => people.filter(({ asked }) => asked !== undefined).length
  return {
    samples,
    elapsed,
    unfinished,
    nextAt: () => Math.min(...people.filter(({ asked }) => !asked).map(({ nextAt }) => nextAt)),
    askAll: async () => {
      const due = people.filter(({ asked, nextAt }) => !asked && nextAt <= elapsed())
      await Promise.all(due.map(ask))
    },
    lookAll: () => Promise.all(people.map(look)),
  }
}

/** Moves on to the next instant at which somebody may do something. */
type Pass = (untilNext: number, isWaiting: boolean) => Promise<void>

const passVirtually =
  ({ pause }: LoadTestPlan, pawl: LoadRunOptions['pawl']): Pass =>
  (untilNext, isWaiting) =>
    // Whoever waits is looked after once a pause, and a clock that stands still would wait for ever.
    pawl.advance({ by: Math.max(1, Math.min(untilNext, isWaiting ? pause || 1000 : untilNext)) })

const passReally: Pass = (untilNext, isWaiting) =>
  new Promise((resolve) => setTimeout(resolve, Math.max(1, isWaiting ? LOOK_MS : Math.min(untilNext, 1000))))

/**
 * @example
 * await using pawl = await testPawl(loadTestParts(plan, [mockRunner('webhook')]))
 * const { throughput, latency, errors } = await runLoadTest(plan, { pawl })
 */
export const runLoadTest = async (
  plan: LoadTestPlan,
  { pawl, time = 'virtual', patienceMs = PATIENCE[time] }: LoadRunOptions,
): Promise<LoadReport> => {
  const stop = time === 'real' ? await pawl.work({ slots: plan.concurrency }) : async () => undefined
  const pass = time === 'real' ? passReally : passVirtually(plan, pawl)
  const crowd = createCrowd(plan, pawl)
  try {
    while (crowd.elapsed() < plan.duration) {
      await crowd.askAll()
      const untilNext = Math.min(crowd.nextAt(), plan.duration) - crowd.elapsed()
      await pass(untilNext, crowd.unfinished() > 0)
      await crowd.lookAll()
    }
    const last = plan.duration + patienceMs
    while (crowd.unfinished() > 0 && crowd.elapsed() < last) {
      await pass(last - crowd.elapsed(), true)
      await crowd.lookAll()
    }
  } finally {
    await stop()
  }
  return sumUp(plan, crowd.samples, crowd.unfinished(), crowd.elapsed())
}
