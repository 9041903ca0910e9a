// Owns `testPawl`: a whole Pawl for one test, with a store, a clock and ids of its own, nothing of the host's environment,
// runners that are watched, and an end that can come at any point.
// T1  Two of them share nothing, unless a test gives both the same mock or the same file.

import { PawlError } from '../core/errors.ts'
import type { Json } from '../core/json.ts'
import { nearest } from '../core/suggest.ts'
import type { Pawl, Run } from '../pawl/surface.ts'
import type { ActionView } from '../pawl/views.ts'
import type { AnyRunner, RunnerDefinition } from '../runners/runner.ts'
import type { CrashPlace, CrashPoint } from './crash.ts'
import type { Behaviour, Double, Interaction } from './double.ts'
import { createLives, type LogLine, type TestPawlOptions } from './lives.ts'
import { type MockRunner, watched } from './mock.ts'
import { story } from './story.ts'

export interface TestPawl extends Pawl, AsyncDisposable {
  /** Gives a runner another behaviour from now on; its calls are in what this returns. */
  readonly mock: MockRunner
  /** What runners were asked to do, in order: all of them, or those of one type. */
  readonly performed: (of?: Typed) => readonly Interaction[]
  readonly deadLetters: () => Promise<readonly ActionView[]>
  /** What happened to an execution, as a person would tell it. */
  readonly story: (execution: string) => Promise<string>
  /** What the engine said about itself. */
  readonly log: readonly LogLine[]
  /** Stops the engine dead when it gets there. Whatever is asked of it then fails with `store_closed`. */
  readonly crash: (point: CrashPoint) => void
  readonly hasCrashed: () => boolean
  /** The places a crash can be put at, in the order they were reached since it was opened or armed. */
  readonly crashPlaces: () => readonly CrashPlace[]
  /** Another process on the same store, after the leases of this one have run out. It need not have crashed. */
  readonly restart: () => Promise<void>
}

type Typed = string | { readonly type: string }

const typeOf = (of: Typed): string => (typeof of === 'string' ? of : of.type)

/** The doubles of this test's runners, and their calls in this test, in order. */
const watchAll = (runners: readonly AnyRunner[]) => {
  const doubles = runners.map(watched)
  const calls: { readonly double: Double; readonly index: number }[] = []
  const counted = (double: Double): AnyRunner => {
    const execute: RunnerDefinition['execute'] = (work) => {
      calls.push({ double, index: double.interactions.length })
      return double.definition.execute(work)
    }
    return { ...double, definition: { ...double.definition, execute } }
  }
  const doubleFor = (of: Typed): Double => {
    const type = typeOf(of)
    const double = doubles.find((each) => each.type === type)
    if (double !== undefined) return double
    const known = doubles.map((each) => each.type)
    const suggestion = nearest(type, known)
    throw new PawlError('invalid_option', `no runner of the type “${type.slice(0, 80)}” is here`, {
      path: 'runners',
      expected: `testPawl({ runners: [mockRunner('${type.slice(0, 80)}')] })`,
      ...(suggestion !== undefined && { suggestion }),
    })
  }
  return {
    runners: doubles.map(counted),
    doubleFor,
    calls: () => calls.map(({ double, index }) => double.interactions[index]!),
  }
}

type Own = Omit<TestPawl, Exclude<keyof Pawl, 'close'>>

/** Whatever is asked goes to the engine that lives now, also by an execution's handle from before a restart. */
const living = (current: () => Pawl, own: Own): TestPawl => {
  const start = async (...given: Parameters<Pawl['start']>): Promise<Run> => {
    const run = await current().start(...given)
    return {
      ...run,
      send: (type, payload, options) => current().send(run.id, type, payload as Json, options),
      get: async () => (await current().executions.get(run.id))!,
    }
  }
  const verbs = (Object.keys(current()) as readonly (keyof Pawl)[]).filter((verb) => !(verb in own))
  const answers = verbs.map((verb) => [
    verb,
    { enumerable: true, get: () => (verb === 'start' ? start : current()[verb]) },
  ])
  return Object.defineProperties(own, Object.fromEntries(answers)) as TestPawl
}

/**
 * A Pawl for one test. It does nothing until it is told to: `advance` moves the clock and does all that is due.
 * @example
 * await using pawl = await testPawl({ definitions: [lease], runners: [email], now: '2026-03-01T09:00:00Z' })
 */
export const testPawl = async (options: TestPawlOptions = {}): Promise<TestPawl> => {
  const { runners, doubleFor, calls } = watchAll(options.runners ?? [])
  const log: LogLine[] = []
  const lives = await createLives(options, runners, log)
  const { life, pawl } = { life: () => lives.current().life, pawl: () => lives.current().pawl }
  const mock = (of: Typed, behaviour: Behaviour = {}): Double => {
    const double = doubleFor(of)
    double.behave(behaviour)
    return double
  }
  return living(pawl, {
    mock: mock as MockRunner,
    performed: (of?: Typed) => calls().filter(({ type }) => of === undefined || type === typeOf(of)),
    deadLetters: async () => (await pawl().actions.list({ status: 'dead' })).data,
    story: (execution: string) => story(pawl(), execution),
    log,
    crash: (point: CrashPoint) => life().arm(point),
    hasCrashed: () => life().isDead(),
    crashPlaces: () => life().reached(),
    restart: lives.restart,
    [Symbol.asyncDispose]: lives.end,
    close: lives.end,
  })
}
