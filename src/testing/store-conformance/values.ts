// Any value that JSON can say, and any name, comes back as it went in; sizes up to what the core allows.

import type { JsonObject } from '../../core/json.ts'
import type { Case } from './case.ts'
import { has, same, sound } from './check.ts'
import { action, DEAD, entry, event, execution, NOW, OF, settled, step, timer } from './members.ts'

const ODD: JsonObject = {
  '': 'an empty key',
  nul: 'before\u0000after',
  controls: '\u0001\t\n\r\u007f',
  quotes: `"double" 'single' \\back\\ :name $1 ?1 %s --`,
  unicode: 'Zoë 漢字 🦄 \u2028 e\u0301',
  numbers: [0, -1, 1.5, 1e308, 5e-324, 9_007_199_254_740_991, 0.1 + 0.2],
  nested: [[[{}]], [], null, true, false],
  toString: 'own',
  'a.b[0]': 'a path',
}
const PROTO = JSON.parse('{"__proto__": {"x": 1}, "constructor": 1}') as JsonObject

const NAMES = ["o'brien", 'a"b', 'ünï/漢字', 'with space', '🦄', '%_\\', '$1', ':id', 'x'.repeat(200)]

export const valueCases: readonly Case[] = [
  {
    name: 'odd JSON comes back as it went in: config, result, error, variables, events, timers, history, feed',
    run: async ({
      start,
      step: move,
      claim,
      ok,
      settle,
      action: read,
      execution: load,
      store,
      reader,
      caughtUp,
    }) => {
      const over = { config: ODD, metadata: PROTO }
      const armed = { ...timer('t'), event: event('t', { payload: ODD, timer: 't' }) }
      const line = { ...entry('x'), data: ODD }
      await start('e', {
        execution: execution('e', { variables: { ...ODD, proto: PROTO } }),
        timers: [armed],
        history: [line],
      })
      await move('e', { actions: [step('a', over), step('b', over)] })
      await ok({ deliver: [{ execution: 'e', event: event('v', { payload: ODD }) }] })
      const [a, b] = await claim()
      same([a!.plan.config, a!.plan.metadata], [ODD, PROTO], 'claimed')
      await settle(a!, { result: ODD })
      const error = { type: 'odd', message: 'm', retryable: false, details: ODD }
      await settle(b!, { ...DEAD, error })
      has(await read('a'), { result: ODD, plan: step('a', over).plan }, 'the result')
      has(await read('b'), { error }, 'the error')
      same((await reader.attempts(OF, 'b'))[0]?.error, error, 'the attempt')
      same((await load('e')).execution.variables, { ...ODD, proto: PROTO }, 'variables')
      same(sound(await store.dueTimers(9, { now: NOW }))[0]?.timer, armed, 'the timer')
      same(sound(await store.inbox(['lease'], 9))[0]?.event.payload, ODD, 'the event')
      same((await reader.history(OF, 'e', { limit: 9 })).data[0]?.data, ODD, 'the history')
      await caughtUp()
      same((await reader.feed(OF, undefined, 9))[0]?.data, ODD, 'the feed')
    },
  },
  {
    name: 'odd names are names: tenants, executions, events, timers, types, definitions, keys',
    run: async ({ ok, store, reader }) => {
      for (const name of NAMES) {
        const of = { namespace: name, tenant: name }
        const born = execution(name, { ...of, definition: name, state: name })
        const planned = step(`of ${name}`, { type: name, dedup: { key: name } })
        const advance = {
          execution: born,
          expected: 0,
          chain: { number: 0, hash: name },
          consume: [],
          history: [],
        }
        const rest = { actions: [planned], timers: [timer(name)], cancel: { timers: [], actions: [] } }
        await ok({
          ...of,
          advance: { ...advance, ...rest },
          deliver: [{ execution: name, event: event(name) }],
        })
        same((await reader.execution(of, name))?.execution, born, `execution ${name}`)
        same(
          (await reader.executions(of, { definition: name, state: name }, { limit: 9 })).data.length,
          1,
          name,
        )
        same((await reader.actions(of, { type: name, execution: name }, { limit: 9 })).data.length, 1, name)
      }
      same(
        sound(await store.inbox(NAMES, 99)).map(({ tenant }) => tenant),
        NAMES,
        'the inbox',
      )
      same(
        sound(await store.dueTimers(99, { now: NOW }))
          .map(({ timer: { key } }) => key)
          .sort(),
        NAMES.toSorted(),
        'timers',
      )
      same((await store.heads({ now: NOW })).map(({ type }) => type).sort(), NAMES.toSorted(), 'lanes')
    },
  },
  {
    name: 'a config and a result of a megabyte, and an instant beyond 2^32',
    run: async ({ enqueue, claim, commit, action: read }) => {
      const config = { text: 'ü'.repeat(500_000) }
      const dueAt = 8_640_000_000_000_000
      await enqueue(action('big', { config }), action('far', { dueAt }))
      const [big] = await claim()
      same(big!.plan.config, config, 'the config')
      await commit({ settle: [settled(big!, { result: config })] })
      same((await read('big')).result, config, 'the result')
      has(await read('far'), { dueAt }, 'the far one')
    },
  },
]
