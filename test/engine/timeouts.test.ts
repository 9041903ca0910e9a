import { expect, it } from 'vitest'
import { machine } from '../../src/index.ts'
import { onEachStore } from './bed.ts'
import { type Call, gate, only, settle, spy, until } from './spies.ts'

const TIMES = { timeout: 30, retryPolicy: { maxAttempts: 1 } } as const

/** Ends when the signal does. */
const heeding = ({ ctx }: Call) =>
  new Promise((_, reject) => ctx.signal.addEventListener('abort', () => reject(ctx.signal.reason)))

onEachStore('timeouts and signals', (bed) => {
  it('an attempt that takes too long is told so by its signal, and is timed out', async () => {
    const slow = spy('slow', heeding)
    const pawl = await bed.open({ runners: [slow] })
    await pawl.dispatch(slow({}, TIMES))
    await settle(pawl)
    expect(slow.calls[0]!.ctx.signal.reason).toMatchObject({ name: 'TimeoutError' })
    const action = await only(pawl)
    expect(action).toMatchObject({
      status: 'dead',
      error: { type: 'timeout', message: 'timed out after 30ms' },
    })
    expect(action.attempts).toMatchObject([{ outcome: 'timed_out' }])
  })

  it('A2: a runner that ignores its signal is given up; its late answer changes nothing', async () => {
    const { pass, open } = gate()
    const deaf = spy('deaf', pass)
    const pawl = await bed.open({ runners: [deaf] })
    await pawl.dispatch(deaf({}, TIMES))
    await settle(pawl)
    expect(await only(pawl)).toMatchObject({ status: 'dead', error: { type: 'timeout' } })
    open()
    await settle(pawl)
    expect(await only(pawl)).toMatchObject({ status: 'dead', attempt: 1 })
  })

  it('A1: an effect that succeeded after its timeout is a success', async () => {
    const late = spy(
      'late',
      ({ ctx }) => new Promise((resolve) => ctx.signal.addEventListener('abort', () => resolve('done'))),
    )
    const pawl = await bed.open({ runners: [late] })
    await pawl.dispatch(late({}, TIMES))
    await settle(pawl)
    expect(await only(pawl)).toMatchObject({ status: 'succeeded', result: 'done' })
  })

  it('a timeout is retried by policy, under the same key', async () => {
    const slow = spy('slow', (call) => (call.attempt === 1 ? heeding(call) : 'second'))
    const pawl = await bed.open({ runners: [slow] })
    await pawl.dispatch(slow({}, { timeout: 30, retryPolicy: { maxAttempts: 2, backoffStrategy: 'fixed' } }))
    await pawl.advance({ by: '1s' })
    expect(await only(pawl)).toMatchObject({ status: 'succeeded', result: 'second', attempt: 2 })
    expect(slow.calls[0]!.key).toBe(slow.calls[1]!.key)
  })

  it('S3: under at_most_once a timeout goes to review, and its machine hears of it', async () => {
    const slow = spy('slow', heeding, { delivery: 'at_most_once' })
    const once = machine({
      id: 'once',
      uses: [slow],
      initial: 'a',
      states: { a: { enter: () => slow({}, TIMES), on: { 'action.failed': 'stuck' } }, stuck: {} },
    })
    const pawl = await bed.open({ definitions: [once], runners: [slow] })
    await pawl.start(once, { id: 'o', variables: {} })
    await settle(pawl)
    expect(await only(pawl)).toMatchObject({ status: 'review', error: { type: 'timeout' } })
    expect((await pawl.executions.get('o'))!.state).toBe('stuck')
  })

  it('a virtual clock that waits for work without end says what is stuck, and goes on afterwards', async () => {
    const { pass, reached, open } = gate()
    const slow = spy('slow', pass)
    const pawl = await bed.open({ runners: [slow] })
    await pawl.dispatch(slow({}))
    const advanced = pawl.advance({ by: '1d' })
    await reached
    const before = pawl.now()
    open()
    await advanced
    expect(pawl.now() - before).toBe(86_400_000)
    await until(async () => (await only(pawl)).status === 'succeeded')
  })

  it('a real clock cannot be moved, a virtual one does not go back', async () => {
    const real = await bed.open({ clock: 'real' })
    await expect(real.advance({ by: 1 })).rejects.toMatchObject({ code: 'invalid_option' })
    const virtual = await bed.open()
    await expect(virtual.advance({ to: '2020-01-01T00:00:00Z' })).rejects.toMatchObject({
      code: 'invalid_option',
    })
    await expect(bed.open({ clock: 'sundial' })).rejects.toMatchObject({ code: 'invalid_option' })
  })
})
