import { expect, it } from 'vitest'
import { createSerial } from './serial.ts'

const later = () => new Promise<void>((resolve) => setImmediate(resolve))

it('one key: one after the other, in the order they were asked for', async () => {
  const serial = createSerial()
  const said: string[] = []
  const work = (name: string) => async () => {
    said.push(`${name} begins`)
    await later()
    said.push(`${name} ends`)
    return name
  }
  expect(await Promise.all(['a', 'b', 'c'].map((name) => serial('key', work(name))))).toEqual(['a', 'b', 'c'])
  expect(said).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
})

it('different keys: beside each other', async () => {
  const serial = createSerial()
  const first = Promise.withResolvers<void>()
  const blocked = serial('a', () => first.promise)
  expect(await serial('b', async () => 'done')).toBe('done')
  first.resolve()
  await blocked
})

it('one that fails is its caller’s error, and the next has its turn', async () => {
  const serial = createSerial()
  const failed = serial('key', async () => {
    throw new Error('no')
  })
  const next = serial('key', async () => 'yes')
  await expect(failed).rejects.toThrow('no')
  expect(await next).toBe('yes')
})
