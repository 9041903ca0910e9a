import { expect, it } from 'vitest'
import { createLog, messageOf } from './log.ts'

it('every line has its level, its fields and those of the log', () => {
  const lines: unknown[] = []
  const log = createLog((...line) => lines.push(line), { tenant: 't' })
  log.debug('a')
  log.info('b', { n: 1 })
  log.warn('c', { tenant: 'u' })
  log.error('d')
  expect(lines).toEqual([
    ['debug', 'a', { tenant: 't' }],
    ['info', 'b', { tenant: 't', n: 1 }],
    ['warn', 'c', { tenant: 'u' }],
    ['error', 'd', { tenant: 't' }],
  ])
})

it('a sink that throws loses its line and nothing else', () => {
  const log = createLog(() => {
    throw new Error('disk full')
  })
  expect(() => log.error('a')).not.toThrow()
})

it.each([
  [new Error('boom'), 'boom'],
  ['text', 'text'],
  [undefined, 'undefined'],
])('%o in words', (thrown, text) => expect(messageOf(thrown)).toBe(text))
