import { describe, expect, it } from 'vitest'
import { createClient } from './client.ts'
import { messagesOf } from './server-sent.ts'

const bytes = (...pieces: readonly string[]): ReadableStream<Uint8Array> => {
  const encoder = new TextEncoder()
  return new ReadableStream({
    start: (controller) => {
      for (const piece of pieces) controller.enqueue(encoder.encode(piece))
      controller.close()
    },
  })
}
const collect = async <T>(from: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = []
  for await (const each of from) all.push(each)
  return all
}

describe('the text of a stream', () => {
  it.each([
    ['in one piece', ['id: 1\nevent: a\ndata: {}\n\n']],
    ['cut anywhere', ['id: 1\nev', 'ent: a\nda', 'ta: {}\n', '\n']],
    ['with other line ends', ['id:1\r\nevent:a\r\ndata:{}\r\n\r\n']],
    ['after comments', [':\n\n', ': beat\n\n', 'id: 1\nevent: a\ndata: {}\n\n']],
    ['and one unfinished', ['id: 1\nevent: a\ndata: {}\n\nid: 2\nevent: b\nda']],
  ])('%s', async (_, pieces) => {
    expect(await collect(messagesOf(bytes(...pieces)))).toEqual([{ id: '1', event: 'a', data: '{}' }])
  })

  it('data of several lines is one text', async () => {
    expect(await collect(messagesOf(bytes('data: a\ndata: b\n\n')))).toEqual([
      { id: '', event: 'message', data: 'a\nb' },
    ])
  })

  it('a letter cut in two is one letter', async () => {
    const [head, tail] = [new TextEncoder().encode('data: "é'), new TextEncoder().encode('"\n\n')]
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => {
        controller.enqueue(head.slice(0, -1))
        controller.enqueue(head.slice(-1))
        controller.enqueue(tail)
        controller.close()
      },
    })
    expect((await collect(messagesOf(stream)))[0]?.data).toBe('"é"')
  })

  it('a message without end is given up', async () => {
    const line = 'x'.repeat(1024 * 1024)
    await expect(collect(messagesOf(bytes(line, line, line, line, line)))).rejects.toMatchObject({
      code: 'server_failed',
    })
  })
})

describe('watching', () => {
  const fact = (id: string) => `id: ${id}\nevent: t\ndata: {"at":"2026-01-01T00:00:00Z","data":{}}\n\n`

  it('resumes after the last fact when the connection breaks, and says so', async () => {
    const after: (string | null)[] = []
    const answers = [
      () => new Response(bytes(`retry: 2000\nid: c0\nevent: ready\ndata: {}\n\n${fact('c1')}`)),
      () => new Response('busy', { status: 503 }),
      () => new Response(bytes(fact('c2'))),
    ]
    const fetch = (async (_: string, init: RequestInit) => {
      after.push(new Headers(init.headers).get('last-event-id'))
      return answers[after.length - 1]!()
    }) as typeof globalThis.fetch
    const breaks: unknown[] = []
    const seen: string[] = []
    const client = createClient({ url: 'http://pawl.test', fetch })
    for await (const { cursor } of client.watch({ onBreak: (error) => breaks.push(error) })) {
      seen.push(cursor)
      if (seen.length === 2) break
    }
    expect(seen).toEqual(['c1', 'c2'])
    expect(after).toEqual([null, 'c1', 'c1'])
    expect(breaks).toHaveLength(1)
  })

  it('ends with a refusal, which would be the same next time', async () => {
    const fetch = (async () =>
      Response.json({ code: 'invalid_cursor', detail: 'no' }, { status: 400 })) as typeof globalThis.fetch
    const watched = createClient({ url: 'http://pawl.test', fetch }).watch({ after: 'x' })
    await expect(collect(watched)).rejects.toMatchObject({ code: 'invalid_cursor' })
  })

  it('ends when it is asked to', async () => {
    const controller = new AbortController()
    const fetch = (async () => new Response(bytes(fact('c1')))) as typeof globalThis.fetch
    const watched = createClient({ url: 'http://pawl.test', fetch }).watch({ signal: controller.signal })
    await watched.next()
    controller.abort()
    expect((await watched.next()).done).toBe(true)
  })
})
