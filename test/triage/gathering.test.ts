// Deduplication, debounce and batching by behaviour: one action for many requests, decided in one commit, whoever asks.

import { expect, it } from 'vitest'
import { permanent } from '../../src/index.ts'
import { at, MINUTE, NOW, onEachShared, onEachStore } from '../engine/bed.ts'
import { settle, spy } from '../engine/spies.ts'

const configs = (mail: ReturnType<typeof spy>) => mail.calls.map(({ config }) => config)

onEachStore('dedup', (bed) => {
  const open = async (act?: Parameters<typeof spy>[1]) => {
    const mail = spy('mail', act)
    return { mail, pawl: await bed.open({ runners: [mail] }) }
  }

  it('while active: the existing action is returned; when it has ended the key is free', async () => {
    const { pawl, mail } = await open()
    const dedup = { key: 'welcome/ada', while: 'active' } as const
    const first = await pawl.dispatch(mail(1), { dedup })
    expect(await pawl.dispatch(mail(2), { dedup })).toEqual({ id: first.id, deduplicated: true })
    await settle(pawl)
    expect(await pawl.dispatch(mail(3), { dedup })).toMatchObject({ deduplicated: false })
    await settle(pawl)
    expect(configs(mail)).toEqual([1, 3])
  })

  it('for a window: kept beyond its end, and free after the window', async () => {
    const { pawl, mail } = await open()
    const dedup = { key: 'digest', for: '1h' } as const
    const first = await pawl.dispatch(mail(1), { dedup })
    await settle(pawl)
    expect(await pawl.dispatch(mail(2), { dedup })).toEqual({ id: first.id, deduplicated: true })
    await pawl.advance({ by: '61m' })
    expect(await pawl.dispatch(mail(3), { dedup })).toMatchObject({ deduplicated: false })
  })

  it.each([{ for: '1h' }, { while: 'active' }] as const)('failed work releases its key: %o', async (how) => {
    const { pawl, mail } = await open(() => {
      throw permanent('refused', 'no')
    })
    const first = await pawl.dispatch(mail(1), { dedup: { key: 'k', ...how } })
    await settle(pawl)
    expect((await pawl.actions.get(first.id))!.status).toBe('dead')
    expect(await pawl.dispatch(mail(2), { dedup: { key: 'k', ...how } })).toMatchObject({
      deduplicated: false,
    })
  })

  it('a key is one tenant’s own', async () => {
    const { pawl, mail } = await open()
    const dedup = { key: 'k', while: 'active' } as const
    await pawl.dispatch(mail(1), { dedup })
    expect(await pawl.tenant('other').dispatch(mail(1), { dedup })).toMatchObject({ deduplicated: false })
  })
})

onEachStore('debounce', (bed) => {
  const open = async () => {
    const mail = spy('mail')
    return { mail, pawl: await bed.open({ runners: [mail] }) }
  }
  const debounce = { key: 'index/42', wait: '1m' } as const

  it('one action, with the latest config, when it has been quiet', async () => {
    const { pawl, mail } = await open()
    const first = await pawl.dispatch(mail({ n: 1 }), { debounce })
    expect(first.deduplicated).toBe(false)
    await pawl.advance({ by: '40s' })
    expect(await pawl.dispatch(mail({ n: 2 }), { debounce })).toEqual({ id: first.id, deduplicated: true })
    expect(await pawl.actions.get(first.id)).toMatchObject({ config: { n: 2 }, dueAt: at(100_000) })
    await pawl.advance({ by: '59s' })
    expect(mail.calls).toEqual([])
    await pawl.advance({ by: '1s' })
    expect(mail.calls).toMatchObject([{ config: { n: 2 }, at: NOW + 100_000 }])
    expect((await pawl.verify()).findings).toEqual([])
  })

  it('maxWait: those who never stop asking wait no longer than that', async () => {
    const { pawl, mail } = await open()
    for (let n = 0; n < 5; n++) {
      await pawl.dispatch(mail({ n }), { debounce: { ...debounce, maxWait: '2m' } })
      await pawl.advance({ by: '40s' })
    }
    expect(mail.calls).toMatchObject([{ config: { n: 2 }, at: NOW + 2 * MINUTE }])
  })

  it('what has started takes nothing in: the next request is another action', async () => {
    const { pawl, mail } = await open()
    await pawl.dispatch(mail({ n: 1 }), { debounce })
    await pawl.advance({ by: '1m' })
    expect(await pawl.dispatch(mail({ n: 2 }), { debounce })).toMatchObject({ deduplicated: false })
    await pawl.advance({ by: '1m' })
    expect(configs(mail)).toEqual([{ n: 1 }, { n: 2 }])
  })

  it('what waits for another attempt takes nothing in: every attempt sends the same', async () => {
    const mail = spy('mail', ({ attempt }) => {
      if (attempt === 1) throw new Error('down')
      return null
    })
    const pawl = await bed.open({ runners: [mail] })
    const retryPolicy = { maxAttempts: 2, baseDelay: '1h' } as const
    const first = await pawl.dispatch(mail({ n: 1 }), { debounce, retryPolicy })
    await pawl.advance({ by: '1m' })
    expect((await pawl.dispatch(mail({ n: 2 }), { debounce })).id).not.toBe(first.id)
    await pawl.advance({ by: '2h' })
    const own = mail.calls.filter(({ key }) => key === mail.calls[0]!.key)
    expect(own.map(({ config }) => config)).toEqual([{ n: 1 }, { n: 1 }])
    expect(configs(mail)).toContainEqual({ n: 2 })
  })

  it('keys of two types, and of two tenants, are two', async () => {
    const { pawl, mail } = await open()
    const sms = spy('sms')
    await pawl.dispatch(mail(1), { debounce })
    expect(await pawl.dispatch(sms(1), { debounce })).toMatchObject({ deduplicated: false })
    expect(await pawl.tenant('other').dispatch(mail(1), { debounce })).toMatchObject({ deduplicated: false })
  })

  it.each([
    [{ debounce: { key: '', wait: '1m' } }, 'debounce.key'],
    [{ debounce: { key: 'k', wait: '1m', maxWait: '1s' } }, 'debounce.maxWait'],
    [{ debounce, batch: { key: 'k', size: 2, wait: '1m' } }, 'batch'],
    [{ debounce, dedup: { key: 'k', while: 'active' as const } }, 'dedup'],
    [{ batch: { key: 'k', size: 0, wait: '1m' } }, 'batch.size'],
    [{ batch: { key: 'k', size: 2, wait: '1m' } }, 'config.items'],
  ])('%o is refused, and says where', async (options, path) => {
    const { pawl, mail } = await open()
    await expect(pawl.dispatch(mail({}), options)).rejects.toMatchObject({
      code: 'invalid_option',
      details: { path },
    })
  })
})

onEachStore('batching', (bed) => {
  const open = async () => {
    const send = spy('send')
    return { send, pawl: await bed.open({ runners: [send] }) }
  }
  const batch = { key: 'rows', size: 3, wait: '1m' } as const

  it('an id names the request, for a day: asked again, it is told who took it in', async () => {
    const { pawl, send } = await open()
    const ask = (id: string) => pawl.dispatch(send({ items: [id] }), { batch, id })
    const first = await ask('a')
    expect(first.deduplicated).toBe(false)
    expect([await ask('a'), await ask('b'), await ask('b')]).toEqual(
      Array(3).fill({ id: first.id, deduplicated: true }),
    )
    await pawl.advance({ by: '1h' })
    expect(await ask('b')).toEqual({ id: first.id, deduplicated: true })
    await pawl.advance({ by: '24h' })
    expect((await ask('b')).deduplicated).toBe(false)
    await settle(pawl)
    expect(configs(send)).toEqual([{ items: ['a', 'b'] }])
    expect(await pawl.verify()).toMatchObject({ findings: [] })
  })

  it('items are joined in order; a full batch starts at once and the next begins another', async () => {
    const { pawl, send } = await open()
    const ids: string[] = []
    for (let n = 1; n <= 4; n++)
      ids.push((await pawl.dispatch(send({ items: [n], table: `t${n}` }), { batch })).id)
    expect(ids[0]).toBe(ids[2])
    expect(ids[3]).not.toBe(ids[0])
    await settle(pawl)
    expect(configs(send)).toEqual([{ items: [1, 2, 3], table: 't3' }])
    await pawl.advance({ by: '1m' })
    expect(configs(send).slice(1)).toEqual([{ items: [4], table: 't4' }])
    expect((await pawl.verify()).findings).toEqual([])
  })

  it('one that is not full starts when the first has waited long enough', async () => {
    const { pawl, send } = await open()
    await pawl.dispatch(send({ items: [1] }), { batch })
    await pawl.advance({ by: '30s' })
    await pawl.dispatch(send({ items: [2] }), { batch })
    await pawl.advance({ by: '30s' })
    expect(send.calls).toMatchObject([{ config: { items: [1, 2] }, at: NOW + MINUTE }])
  })

  it('what would not fit goes into the next: never more than the size', async () => {
    const { pawl, send } = await open()
    await pawl.dispatch(send({ items: [1, 2] }), { batch })
    await pawl.dispatch(send({ items: [3, 4] }), { batch })
    await settle(pawl)
    expect(configs(send)).toEqual([{ items: [1, 2] }])
    await pawl.dispatch(send({ items: [5] }), { batch })
    await settle(pawl)
    expect(configs(send)).toEqual([{ items: [1, 2] }, { items: [3, 4, 5] }])
  })
})

onEachShared('gathering across processes', (bed) => {
  it('many ask at once in two processes: one action, every item once', async () => {
    const send = spy('send')
    const pawls = [await bed.open({ runners: [send] }), await bed.open({ runners: [send] })]
    const batch = { key: 'rows', size: 1000, wait: '1m' }
    const numbers = Array.from({ length: 60 }, (_, n) => n)
    const sent = await Promise.all(
      numbers.map((n) => pawls[n % 2]!.dispatch(send({ items: [n] }), { batch })),
    )
    expect(new Set(sent.map(({ id }) => id)).size).toBe(1)
    expect(sent.filter(({ deduplicated }) => !deduplicated)).toHaveLength(1)
    const { config } = (await pawls[0]!.actions.get(sent[0]!.id))!
    expect((config as { readonly items: number[] }).items.toSorted((a, b) => a - b)).toEqual(numbers)
  })

  it('inside the caller’s transaction: undone with it', async () => {
    const send = spy('send')
    const pawl = await bed.open({ runners: [send] })
    const batch = { key: 'rows', size: 9, wait: '1m' }
    const { id } = await pawl.dispatch(send({ items: [1] }), { batch })
    const undone = bed.transact(async (client) => {
      expect(await pawl.in(client).dispatch(send({ items: [2] }), { batch })).toEqual({
        id,
        deduplicated: true,
      })
      throw new Error('the caller changes their mind')
    })
    await expect(undone).rejects.toThrow('change')
    expect((await pawl.actions.get(id))!.config).toEqual({ items: [1] })
  })
})
