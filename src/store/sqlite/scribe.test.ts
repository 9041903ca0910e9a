import { expect, it, onTestFinished } from 'vitest'
import { type Bed, open, tempFile } from '../../../test/sqlite/bed.ts'
import { beginning, claimOf, type Dictated, isWritten, openDictated } from '../../../test/sqlite/dictated.ts'
import { action, advance, NOW, OF, settled } from '../../../test/sqlite/members.ts'
import type { Wake } from '../store.ts'
import type { Asked, Said, Scribing } from './scribe.ts'
import { END, startThread, type Thread } from './thread.ts'

const moving = (id: string) => ({ advance: advance(id) })
const UNKNOWN = { code: 'store_unavailable', details: { outcome: 'unknown' } }

/** Many commits that the scribe could write, if there were one. */
const writeMuch = async ({ commit }: Bed, count = 20): Promise<void> => {
  for (let n = 0; n < count; n++) expect((await commit(moving(`much_${n}`))).status).toBe('ok')
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const CANNOT: Readonly<Record<string, Scribing['start']>> = {
  'cannot be started': () => {
    throw new Error('no thread here')
  },
  'is over before it has answered': () => ({
    ask: () => Promise.reject(new Error('no thread here')),
    close: () => Promise.resolve(),
  }),
}

it.each(Object.keys(CANNOT))(
  'S1: a thread that %s is warned about once, and everything is written by the event loop',
  async (how) => {
    let starts = 0
    const start: Scribing['start'] = (file) => {
      starts += 1
      return CANNOT[how]!(file)
    }
    const bed = await open({ file: tempFile(), scribing: { start, startFrom: 0, from: 0 } })
    await writeMuch(bed)
    expect(bed.warnings).toEqual([expect.stringContaining('by the event loop alone: Error: no thread here')])
    expect(starts).toBe(1)
    expect((await bed.reader.counts(OF)).executions.active).toBe(20)
  },
)

it('S2: it is started by who writes a lot, and asked for what is worth waking it', async () => {
  const asked: Asked[] = []
  let starts = 0
  const start: Scribing['start'] = () => {
    starts += 1
    const ask = async (what: Asked): Promise<Said> => {
      asked.push(what)
      return { undone: 'no' }
    }
    return { ask, close: () => Promise.resolve() }
  }
  const bed = await open({ file: tempFile(), scribing: { start, startFrom: 100, from: 40 } })
  /** Each weighs two. */
  const write = (name: string, count: number) =>
    bed.store.commit(Array.from({ length: count }, (_, n) => ({ ...OF, at: NOW, ...moving(`${name}_${n}`) })))
  await write('little', 49)
  expect(starts).toBe(0)
  await write('much', 50)
  await write('less', 19)
  expect([starts, asked.length]).toEqual([1, 1])
  await write('enough', 20)
  expect([starts, asked.length]).toEqual([1, 2])
})

it('S3: when it dies while it is asked nobody knows what came of it, and the event loop writes what comes later', async () => {
  let isDead = false
  const dies = (scribing: Scribing): Scribing => ({
    ...scribing,
    start: (file) => {
      const thread = scribing.start(file)
      const ask: Thread<Asked, Said>['ask'] = async (...what) => {
        await turn()
        if (isDead) throw new Error('the thread ended')
        return thread.ask(...what)
      }
      return { ...thread, ask }
    },
  })
  const bed = await openDictated(undefined, dies)
  await bed.dictate(moving('before'))
  isDead = true
  const meanwhile = await Promise.allSettled(['x', 'y'].map((id) => bed.commit(moving(id))))
  expect(meanwhile).toMatchObject([{ reason: UNKNOWN }, { reason: UNKNOWN }])
  const told = bed.heard.length
  await writeMuch(bed)
  expect(bed.heard).toHaveLength(told)
  expect(bed.warnings).toEqual([expect.stringContaining('by the event loop alone: Error: the thread ended')])
})

it('F32: what the disk did not say that it keeps is not told as written, and nothing is from then on', async () => {
  const bed = await openDictated(() => ({ lost: 'Error: EIO' }))
  await expect(bed.commit(moving('lost'))).rejects.toMatchObject(UNKNOWN)
  const doubted = {
    code: 'store_unavailable',
    message: expect.stringContaining('did not say that it keeps it'),
  }
  await expect(bed.commit(moving('later'))).rejects.toMatchObject(doubted)
  await expect(bed.commit({ enqueue: [action('act_1')] })).rejects.toMatchObject(doubted)
  expect(bed.heard).toHaveLength(1)
})

const listen = ({ store, timers }: Bed) => {
  const heard: Wake[] = []
  store.wake((wake) => heard.push(wake))
  // Whatever was before.
  for (let looks = 0; looks < 3; looks++) timers.tick()
  heard.length = 0
  return heard
}

const ALL = { lanes: [1], timers: true, inbox: true }

it('what it writes is not taken for what others write, but once when it has come to rest: they may have, behind it', async () => {
  const bed = await openDictated()
  const woken = listen(bed)
  for (let n = 0; n < 5; n++) {
    await bed.dictate(moving(`x_${n}`))
    bed.timers.tick()
  }
  expect(woken).toEqual([])
  for (let looks = 0; looks < 3; looks++) bed.timers.tick()
  expect(woken).toEqual([ALL])
})

/** The scribe writes again, and saw nobody but itself. */
const writeUntilAlone = async ({ commit, heard }: Dictated): Promise<void> => {
  const isAlone = (): boolean =>
    heard.some(({ said }) => 'haveOthersWritten' in said && !said.haveOthersWritten)
  heard.length = 0
  for (let n = 0; !isAlone(); n++) await commit(moving(`alone_${n}`))
}

it('what another process writes is heard of at once, also by what the scribe saw of it', async () => {
  let meanwhile: (() => void) | undefined
  const bed = await openDictated(() => {
    meanwhile?.()
    meanwhile = undefined
    return undefined
  })
  const theirs = await open({ file: bed.file })
  await theirs.commit({ enqueue: [action('act_1')] })
  const woken = listen(bed)
  await theirs.commit({ enqueue: [action('act_2')] })
  bed.timers.tick()
  expect(woken).toEqual([ALL])
  await writeUntilAlone(bed)
  bed.timers.tick()
  woken.length = 0
  // After the event loop has looked, and before the scribe begins.
  meanwhile = () => theirs.connection.exec(`insert into store_meta (key, value) values ('theirs', '1')`)
  await bed.dictate(moving('y'))
  bed.timers.tick()
  expect(woken).toEqual([ALL])
})

it('what is asked while others are around is written here, and by the scribe again when they are gone', async () => {
  const bed = await openDictated()
  const theirs = await open({ file: bed.file })
  await writeUntilAlone(bed)
  await theirs.commit({ enqueue: [action('act_1')] })
  // Whoever wrote last is seen by who writes next, be it the scribe.
  await bed.commit(moving('seen'))
  const told = bed.heard.length
  for (const id of ['a', 'b', 'c']) expect((await bed.commit(moving(id))).status).toBe('ok')
  expect(bed.heard).toHaveLength(told)
  await writeUntilAlone(bed)
})

/** A scribe that is asked, and answers when it is let go. */
const openHeld = async () => {
  let held: PromiseWithResolvers<void> | undefined
  let asked = 0
  const holding = (scribing: Scribing): Scribing => ({
    ...scribing,
    start: (file) => {
      const thread = scribing.start(file)
      const ask: Thread<Asked, Said>['ask'] = async (...what) => {
        asked += 1
        await held?.promise
        return thread.ask(...what)
      }
      return { ...thread, ask }
    },
  })
  const bed = await openDictated(undefined, holding)
  const hold = (): void => {
    held = Promise.withResolvers()
    asked = 0
  }
  return { bed, hold, asked: () => asked, letGo: () => held!.resolve() }
}

it('two are under way at most: what comes behind them waits, and all are answered in their order', async () => {
  const { bed, hold, asked, letGo } = await openHeld()
  hold()
  const answered: string[] = []
  const commits = ['a', 'b', 'c', 'd'].map((id) => bed.commit(moving(id)).then(() => answered.push(id)))
  await expect.poll(asked).toBe(2)
  for (let turns = 0; turns < 10; turns++) await turn()
  expect([asked(), answered]).toEqual([2, []])
  letGo()
  await Promise.all(commits)
  expect([asked(), answered]).toEqual([4, ['a', 'b', 'c', 'd']])
  expect(bed.heard.every(isWritten)).toBe(true)
})

it('whoever asks the event loop for something behind what is dictated is answered after it, and knows of it', async () => {
  const { bed, hold, asked, letGo } = await openHeld()
  const begun = await bed.dictate(beginning('x', 'act_1', 'act_2'))
  hold()
  const answered: string[] = []
  const next = { expected: 1, was: 'active', chain: begun.chain! } as const
  const settling = bed
    .commit({ settle: [settled(claimOf('act_1'))], advance: advance('x', next) })
    .then(({ status }) => answered.push(status))
  const extending = bed.store
    .extend([claimOf('act_1'), claimOf('act_2')], 1000, { lease: NOW })
    .then(({ lost }) => answered.push(...lost.map(({ id }) => `lost ${id}`)))
  const reading = bed.reader.action(OF, 'act_1').then((read) => answered.push(`read ${read!.status}`))
  await expect.poll(asked).toBe(1)
  for (let turns = 0; turns < 10; turns++) await turn()
  expect(answered).toEqual([])
  letGo()
  await Promise.all([settling, extending, reading])
  expect(answered).toEqual(['ok', 'read succeeded', 'lost act_1'])
})

it('close waits for what is under way, and it is there', async () => {
  const { bed, hold, asked, letGo } = await openHeld()
  hold()
  const order: string[] = []
  const commits = ['a', 'b', 'c'].map((id) => bed.commit(moving(id)).then(({ status }) => order.push(status)))
  await expect.poll(asked).toBe(2)
  const closing = bed.store.close().then(() => order.push('closed'))
  await expect(bed.commit(moving('late'))).rejects.toMatchObject({ code: 'store_closed' })
  expect(order).toEqual([])
  letGo()
  await Promise.all([...commits, closing])
  expect(order).toEqual(['ok', 'ok', 'ok', 'closed'])
  const { reader } = await open({ file: bed.file, integrity: 'full' })
  for (const id of ['a', 'b', 'c']) expect(await reader.execution(OF, id)).toBeDefined()
})

it('what was undone while the store closes is written by the event loop before it is closed', async () => {
  const bed = await openDictated(() => ({ undone: 'no' }))
  const commits = ['a', 'b'].map((id) => bed.commit(moving(id)))
  await bed.store.close()
  expect((await Promise.all(commits)).map(({ status }) => status)).toEqual(['ok', 'ok'])
  expect(bed.heard).not.toEqual([])
  const { reader } = await open({ file: bed.file })
  for (const id of ['a', 'b']) expect(await reader.execution(OF, id)).toBeDefined()
})

/** A thread of a few lines. */
const threadOf = (text: string): Thread<string, string> => {
  const thread = startThread<string, string>(
    new URL(`data:text/javascript,${encodeURIComponent(text)}`),
    'short',
    tempFile(),
  )
  onTestFinished(thread.close)
  return thread
}

const PORT = `import { parentPort } from 'node:worker_threads';`

it('a thread answers in the order it is asked, and is over with all of it when it is closed', async () => {
  const { ask, close } = threadOf(
    `${PORT} parentPort.on('message', (what) => what === '${END}' ? parentPort.close() : parentPort.postMessage('said ' + what))`,
  )
  const answers = Promise.all([ask('a', true), ask('b', false), ask('c', true)])
  await close()
  expect(await answers).toEqual(['said a', 'said b', 'said c'])
  await expect(ask('d', true)).rejects.toThrow('the thread ended')
  await expect(close()).resolves.toBeUndefined()
})

it.each([
  ['ends', 'process.exit()', 'the thread ended'],
  ['throws', `throw new Error('out of words')`, 'out of words'],
])('a thread that %s rejects all that it was asked, and whatever it is asked later', async (_, how, why) => {
  const { ask, close } = threadOf(`${PORT} parentPort.on('message', () => { ${how} })`)
  const asked = await Promise.allSettled([ask('a', true), ask('b', true)])
  expect(asked).toMatchObject([{ reason: { message: why } }, { reason: { message: why } }])
  await close()
  await expect(ask('c', true)).rejects.toThrow('the thread ended')
})

it('a thread whose module is not there rejects what it is asked', async () => {
  const thread = startThread<string, string>(new URL('gone.js', import.meta.url), 'gone', tempFile())
  await expect(thread.ask('a', true)).rejects.toThrow(/Cannot find module|ended/)
  await thread.close()
})
