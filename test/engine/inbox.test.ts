// Events that wait: what comes later does not overtake them, those nobody here can decide hold up no others, and a
// definition that only the store has is learnt from them.

import { expect, it } from 'vitest'
import { z } from 'zod'
import type { JsonObject } from '../../src/core/json.ts'
import { loadDefinition } from '../../src/definitions/parse.ts'
import { machine, type Pawl, type PawlOptions } from '../../src/index.ts'
import { openWith } from '../../src/pawl/open.ts'
import { openStore } from '../../src/pawl/open-store.ts'
import type { Store } from '../../src/store/store.ts'
import { type Bed, onEachShared, START } from './bed.ts'
import { historyOf, settle, until } from './spies.ts'

const broken = { is: false }
const trail = machine({
  id: 'trail',
  variables: z.object({ steps: z.string().default(''), age: z.number().optional() }),
  events: { add: z.object({ step: z.string() }), rest: z.object({}), bad: z.object({}) },
  initial: 'walking',
  states: {
    walking: {
      on: {
        add: {
          internal: true,
          set: ({ variables, event }) => ({ steps: variables.steps + event.payload.step }),
        },
        rest: 'resting',
        bad: {
          to: 'walking',
          when: () => {
            if (broken.is) throw new Error('a bug in the machine')
            return true
          },
        },
      },
      after: { '1h': 'late' },
    },
    resting: {},
    late: {},
  },
})

/** Puts events into the inbox and no more. */
const put = (bed: Bed, pawl: Pawl, id: string, ...events: readonly (readonly [string, JsonObject?])[]) =>
  bed.transact(async (client) => {
    for (const [type, payload = {}] of events) await pawl.in(client).send(id, type, payload)
  })

/** A Pawl whose store is changed, or counted. */
const openSeen = (bed: Bed, options: Partial<PawlOptions>, change: (store: Store) => Partial<Store>) =>
  openWith(
    { store: bed.url(), clock: `virtual:${START}`, secrets: { env: {} }, ...options },
    {
      openStore: async (...args) => {
        const opened = await openStore(...args)
        return { ...opened, store: { ...opened.store, ...change(opened.store) } }
      },
    },
  )

onEachShared('M3: what waits goes first', (bed) => {
  const begin = async () => {
    broken.is = false
    const pawl = await bed.open({ definitions: [trail] })
    await pawl.start(trail, { id: 't', variables: {} })
    return pawl
  }

  it('an event from outside is applied behind it, and its own step is the answer', async () => {
    const pawl = await begin()
    await put(bed, pawl, 't', ['add', { step: 'a' }], ['add', { step: 'b' }], ['rest'])
    expect(await pawl.send('t', 'add', { step: 'c' })).toEqual({
      applied: false,
      duplicate: false,
      reason: 'no_transition',
      state: 'resting',
    })
    expect(await pawl.executions.get('t')).toMatchObject({ state: 'resting', variables: { steps: 'ab' } })
    await settle(pawl)
    expect(await historyOf(pawl, 't')).toHaveLength(5)
  })

  it('a patch is applied behind it, and a refused one changes nothing', async () => {
    const pawl = await begin()
    await put(bed, pawl, 't', ['add', { step: 'a' }])
    expect(await pawl.executions.patch('t', { age: 7 })).toMatchObject({ applied: true })
    await put(bed, pawl, 't', ['add', { step: 'b' }])
    await expect(pawl.executions.patch('t', { age: 'old' })).rejects.toThrow('age')
    expect(await pawl.executions.get('t')).toMatchObject({
      status: 'active',
      variables: { steps: 'ab', age: 7 },
    })
  })

  it('the id of one that waits, sent again, is a duplicate of what was applied', async () => {
    const pawl = await begin()
    await bed.transact((client) => pawl.in(client).send('t', 'add', { step: 'a' }, { id: 'evt_1' }))
    expect(await pawl.send('t', 'add', { step: 'a' }, { id: 'evt_1' })).toMatchObject({ duplicate: true })
    expect(await pawl.executions.get('t')).toMatchObject({ variables: { steps: 'a' } })
  })

  it('more than one step can take are applied in several', async () => {
    const pawl = await begin()
    await put(bed, pawl, 't', ...Array.from({ length: 450 }, () => ['add', { step: '.' }] as const))
    expect(await pawl.send('t', 'add', { step: '!' })).toMatchObject({ applied: true })
    const { variables } = (await pawl.executions.get('t'))!
    expect(variables).toEqual({ steps: `${'.'.repeat(450)}!` })
  })

  it('when it breaks the decider, what came later waits behind it until that is mended', async () => {
    const pawl = await begin()
    broken.is = true
    await put(bed, pawl, 't', ['bad'])
    expect(await pawl.send('t', 'add', { step: 'a' })).toMatchObject({
      applied: false,
      reason: 'execution_failed',
    })
    expect((await pawl.executions.get('t'))!.status).toBe('failed')
    broken.is = false
    await pawl.executions.resume('t')
    await settle(pawl)
    expect(await pawl.executions.get('t')).toMatchObject({ status: 'active', variables: { steps: 'a' } })
  })

  it('when it cannot be written, what came later is kept behind it', async () => {
    const pawl = await begin()
    await put(bed, pawl, 't', ['add', { step: 'a' }])
    const isOfInbox = (batch: Parameters<Store['commit']>[0]) =>
      batch.some(({ advance }) => advance?.consume.some(({ from }) => from === 'inbox'))
    const away = { is: true }
    const other = await openSeen(bed, { definitions: [trail] }, ({ commit }) => ({
      commit: (batch) =>
        away.is && isOfInbox(batch) ? Promise.reject(new Error('no room for it')) : commit(batch),
    }))
    try {
      expect(await other.send('t', 'add', { step: 'b' })).toMatchObject({ applied: false, reason: 'queued' })
      away.is = false
      await settle(other)
      expect(await other.executions.get('t')).toMatchObject({ variables: { steps: 'ab' } })
    } finally {
      await other.close()
    }
  })

  it('a due timer does not overtake it, even where the inbox is read later', async () => {
    const pawl = await begin()
    await put(bed, pawl, 't', ['rest'])
    const other = await openSeen(bed, { definitions: [trail] }, () => ({ inbox: async () => [] }))
    try {
      await other.advance({ by: '2h' })
      expect((await other.executions.get('t'))!.state).toBe('resting')
    } finally {
      await other.close()
    }
  })

  it('what failed is not looked at again until it goes on', async () => {
    const pawl = await begin()
    broken.is = true
    await put(bed, pawl, 't', ['bad'], ['add', { step: 'a' }])
    await settle(pawl)
    const read = { rows: 0, loads: 0 }
    const other = await openSeen(bed, { definitions: [trail] }, ({ inbox, load }) => ({
      inbox: async (...args) => {
        const rows = await inbox(...args)
        read.rows += rows.length
        return rows
      },
      load: (refs) => {
        read.loads += 1
        return load(refs)
      },
    }))
    try {
      await other.advance({ by: '2d' })
      expect(read).toEqual({ rows: 0, loads: 0 })
      broken.is = false
      await other.executions.resume('t')
      await settle(other)
      expect(await other.executions.get('t')).toMatchObject({ state: 'walking', variables: { steps: 'a' } })
    } finally {
      await other.close()
    }
  })
})

const walk = (to: string) =>
  machine({
    id: 'walk',
    versions: 'pin',
    events: { go: z.object({}) },
    initial: 'a',
    states: { a: { on: { go: to as 'b' } }, b: {}, c: {} },
  })
const STUCK = 400

onEachShared('A2: events that nobody here can decide', (bed) => {
  /** Many of another version, with an event each, before one of this. */
  const begin = async (count = STUCK) => {
    const old = await bed.open({ definitions: [walk('b')] })
    const ids = Array.from({ length: count }, (_, n) => `stuck_${n}`)
    await Promise.all(ids.map((id) => old.start('walk', { id })))
    const server = await bed.open()
    await bed.transact(async (client) => {
      for (const id of ids) await server.in(client).send(id, 'go')
    })
    return { old, server }
  }

  it('hold up none that it can, and are not asked for without end', async () => {
    const { old, server } = await begin()
    const calls = { inbox: 0, load: 0 }
    const young = await openSeen(bed, { definitions: [walk('c')] }, ({ inbox, load }) => ({
      inbox: (...args) => {
        calls.inbox += 1
        return inbox(...args)
      },
      load: (refs) => {
        calls.load += 1
        return load(refs)
      },
    }))
    try {
      await young.start('walk', { id: 'free' })
      await put(bed, server, 'free', ['go'])
      await settle(young)
      expect((await young.executions.get('free'))!.state).toBe('c')
      // To the one that can be applied, and one whole round more: a read of either kind for each page of 200.
      const pages = STUCK / 200 + 1
      expect(calls.inbox).toBeLessThanOrEqual(2 * pages)
      expect(calls.load).toBeLessThanOrEqual(2 * pages)
      calls.inbox = 0
      await settle(young)
      expect(calls.inbox).toBe(pages)
    } finally {
      await young.close()
    }
    await settle(old)
    expect((await old.executions.list({ state: 'b' }, { limit: 250 })).data).toHaveLength(250)
    expect((await old.executions.list({ state: 'a' })).data).toEqual([])
  })

  it('A1: one found behind them does not overtake what was let go before them meanwhile', async () => {
    const young = await bed.open({ definitions: [trail] })
    await young.start(trail, { id: 't', variables: {} })
    await young.executions.pause('t', 'to see')
    await put(bed, young, 't', ['add', { step: 'a' }])
    const { server } = await begin(250)
    await put(bed, server, 't', ['add', { step: 'b' }])
    const other = await openSeen(bed, { definitions: [trail, walk('c')] }, ({ inbox }) => ({
      inbox: async (ids, limit, after) => {
        if (after !== undefined) await young.executions.resume('t').catch(() => undefined)
        return inbox(ids, limit, after)
      },
    }))
    try {
      await settle(other)
      expect(await other.executions.get('t')).toMatchObject({ variables: { steps: 'ab' } })
    } finally {
      await other.close()
    }
  })

  it('nor where the loops are at work', async () => {
    const { server } = await begin()
    const young = await bed.open({ definitions: [walk('c')], clock: 'real' })
    await young.start('walk', { id: 'free' })
    await young.work()
    await put(bed, server, 'free', ['go'])
    await until(async () => (await server.executions.get('free'))!.state === 'c')
  })
})

onEachShared('definitions that only the store has', (bed) => {
  const post = loadDefinition({
    kind: 'machine',
    id: 'post',
    initial: 'a',
    states: { a: { on: { go: 'b' } }, b: {} },
  }).definitions[0] as never
  const begin = async () => {
    await (await bed.open({ definitions: [post, trail] })).close()
    const client = await bed.open()
    await bed.transact(async (transaction) => {
      await client.in(transaction).start('post', { id: 'p' })
      await client.in(transaction).send('p', 'go')
    })
    expect((await client.executions.get('p'))!.state).toBe('a')
    return client
  }

  it('are learnt from the events that wait for them', async () => {
    await begin()
    const stranger = await bed.open()
    await settle(stranger)
    expect((await stranger.executions.get('p'))!.state).toBe('b')
  })

  it('and where the loops are at work', async () => {
    const client = await begin()
    const stranger = await bed.open({ clock: 'real' })
    await stranger.work()
    await until(async () => (await client.executions.get('p'))!.state === 'b')
  })

  it('code is not: its events wait for who has it', async () => {
    await begin()
    const stranger = await bed.open()
    await stranger.start('trail', { id: 't' })
    await settle(stranger)
    expect((await stranger.executions.get('t'))!.state).toBeNull()
    expect(bed.lines.filter(({ level }) => level === 'error')).toEqual([])
  })
})
