import { expect, it } from 'vitest'
import { onEachStore } from '../../engine/bed.ts'
import { MAIL } from './bed.ts'
import { serveScript } from './scripted.ts'

onEachStore('S20: the password of a mail server, bound to hosts', (bed) => {
  const sent = async (hosts: readonly string[]) => {
    const server = await serveScript()
    const smtp = {
      host: '127.0.0.1',
      port: server.port,
      startTls: 'never',
      user: 'ada',
      from: 'a@example.com',
    } as const
    const pawl = await bed.open({
      egress: { allow: ['127.0.0.0/8'] },
      providers: { smtp },
      secrets: {
        env: { PAWL_SECRET_SMTP_PASSWORD: 'correct horse' },
        hosts: { smtp_password: hosts.map((host) => host.replace('PORT', String(server.port))) },
      },
    })
    const { id } = await pawl.dispatch({
      type: 'email',
      config: MAIL,
      options: { retryPolicy: { maxAttempts: 1 } },
    })
    await pawl.advance({ by: '1m' })
    return { action: await pawl.actions.get(id), server }
  }

  it.each([[['127.0.0.1']], [['mail.example', '127.0.0.1:PORT']]])('goes to %j', async (hosts) => {
    const { action, server } = await sent(hosts)
    expect([action?.status, server.mails()]).toEqual(['succeeded', 1])
  })

  it.each([[['mail.example']], [['127.0.0.1:1']]])('of %j goes nowhere else, 0 bytes out', async (hosts) => {
    const { action, server } = await sent(hosts)
    expect(action).toMatchObject({ status: 'dead', error: { code: 'secret_destination_mismatch' } })
    expect([server.connections(), server.heard]).toEqual([0, []])
  })
})
