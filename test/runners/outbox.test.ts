import { expect, it } from 'vitest'
import { latencyOf } from '../../src/pawl/outbox.ts'
import { at, onEachStore } from '../engine/bed.ts'

const MAIL = {
  to: [{ address: 'ada@example.com', name: 'Ada' }, 'grace@example.com'],
  from: 'office@example.com',
  subject: 'Notice',
  html: '<p>Until <b>Friday</b></p>',
}

onEachStore('X-22: the outbox of the sandbox', (bed) => {
  const sent = async () => {
    const pawl = await bed.open({ provider: 'sandbox' })
    const send = async (type: string, config: object) =>
      (await pawl.dispatch({ type, config: config as never, options: {} })).id
    const ids = {
      email: await send('email', MAIL),
      webhook: await send('webhook', {
        url: 'https://crm.example/hook',
        headers: { 'X-Key': 'hidden-value' },
        payload: { a: 1 },
      }),
      api_call: await send('api_call', {
        service: 'crm',
        endpoint: '/records/1',
        method: 'PUT',
        query: { dry: true },
        payload: 'text',
      }),
      task: await send('task', { title: 'Call', assignee: 'ada', dueIn: '1d', description: 'Soon.' }),
    }
    await pawl.advance({ by: '1s' })
    return { pawl, ids }
  }

  it('keeps what each runner would have sent, with its action, and shows it as what it is', async () => {
    const { pawl, ids } = await sent()
    const entries = (await pawl.outbox.list()).data
    expect(Object.fromEntries(entries.map(({ type, actionId }) => [type, actionId]))).toEqual(ids)
    const previews = Object.fromEntries(entries.map(({ type, preview }) => [type, preview]))
    expect(previews['email']).toEqual({
      subject: 'Notice',
      html: MAIL.html,
      text: 'From: office@example.com\nTo: Ada <ada@example.com>, grace@example.com\nSubject: Notice\n\nUntil Friday',
    })
    expect(previews['webhook']!.text).toMatch(
      /^POST https:\/\/crm\.example\/hook\ncontent-type: application\/json\nx-key: ‹hidden›\n.*\n\n\{\n {2}"a": 1\n\}$/s,
    )
    expect(previews['api_call']!.text).toBe('PUT crm /records/1 {"dry":"true"}\n\ntext')
    expect(previews['task']!.text).toBe(`Task: Call\nFor: ada\nDue: ${at(86_400_000)}\n\nSoon.`)
    expect(JSON.stringify(entries)).not.toContain('hidden-value')
  })

  it('A-016: says what a simulated service says', async () => {
    const { pawl, ids } = await sent()
    const [mail] = (await pawl.outbox.list({ action: ids.email })).data
    expect(mail!.output).toEqual({
      service: 'email',
      action: 'email',
      executedAt: at(0),
      executionDuration: '0ms',
      type: 'email',
      to: 'ada@example.com, grace@example.com',
      subject: 'Notice',
      status: 'sent',
      messageId: `msg_${mail!.key.slice(4)}`,
    })
    expect(await pawl.outbox.get(mail!.id)).toEqual(mail)
    expect(await pawl.tenant('other').outbox.get(mail!.id)).toBeUndefined()
    expect((await pawl.outbox.list({ type: 'email' }, { limit: 1 })).data).toEqual([mail])
  })

  it('A-015: takes as long as it is told to', async () => {
    const pawl = await bed.open({ provider: 'sandbox', sandbox: { latency: 7 } })
    await pawl.dispatch({ type: 'task', config: { title: 'x' }, options: {} })
    await pawl.advance({ by: '1s' })
    expect((await pawl.outbox.list()).data[0]!.output['executionDuration']).toBe('7ms')
  })
})

it.each([
  ['email', 200, 800],
  ['slack', 300, 1000],
  ['webhook', 500, 1500],
  ['database', 100, 500],
  ['notification', 150, 600],
  ['anything', 200, 1000],
  ['constructor', 200, 1000],
])('A-015: a realistic %s takes %i to %i ms', (type, least, most) => {
  const all = Array.from({ length: 500 }, (_, index) => latencyOf('realistic', type, `key_${index}`))
  expect(Math.min(...all)).toBeGreaterThanOrEqual(least)
  expect(Math.max(...all)).toBeLessThanOrEqual(most)
  expect(Math.max(...all) - Math.min(...all)).toBeGreaterThan((most - least) * 0.9)
})
