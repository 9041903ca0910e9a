// Owns making mocks: of a runner, typed by it, or of a type alone. A mock of a runner keeps its schemas, so what the real
// one would refuse the mock refuses too, and a result that does not fit is found here.

import type { OutputOf, Schema } from '../core/schema.ts'
import type { AnyRunner, Runner } from '../runners/runner.ts'
import { type Behaviour, type Double, doubleOf } from './double.ts'
import { standInFor } from './stand-in.ts'

type ResultIn<Payload> = Payload extends { readonly result: infer Result } ? Result : unknown

export interface MockRunner {
  <Config extends Schema, Payload>(
    runner: Runner<string, Config, string, Payload>,
    behaviour?: Behaviour<OutputOf<Config>, ResultIn<Payload>>,
  ): Double<OutputOf<Config>, ResultIn<Payload>>
  (type: string, behaviour?: Behaviour): Double
}

/**
 * A runner that does nothing and tells all.
 * @example
 * const email = mockRunner('email', { fail: { times: 2, error: 'rate_limit' } })
 * await using pawl = await testPawl({ definitions, runners: [email] })
 * email.interactions // [{ config, key, attempt, at, … }]
 */
export const mockRunner: MockRunner = (of: string | AnyRunner, behaviour: Behaviour = {}) => {
  const mock = typeof of === 'string' ? watched(standInFor(of)) : watched(of)
  mock.behave(behaviour)
  return mock
}

/** The runner itself, its calls recorded, ready to be given another behaviour. */
export const watched = (runner: AnyRunner): Double => {
  const standIn = standInFor(runner.type)
  return doubleOf(runner, (work) => standIn.definition.execute(work))
}
