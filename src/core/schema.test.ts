import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { checkWith, inWords, isSchema, misfit, type Schema } from './schema.ts'

const speaking = (validate: (value: unknown) => unknown): Schema =>
  ({ '~standard': { version: 1, validate } }) as Schema

describe('checkWith', () => {
  const address = z.object({ to: z.string(), cc: z.array(z.string()).default([]) })

  it('returns what the schema makes of the value, defaults filled in', () => {
    expect(checkWith(address)({ to: 'ada' })).toEqual({ fits: true, value: { to: 'ada', cc: [] } })
  })

  it('says every misfit with a dotted path', () => {
    expect(checkWith(address)({ cc: ['a', 1] })).toMatchObject({
      fits: false,
      misfits: [{ path: 'to' }, { path: 'cc.1', message: expect.stringContaining('string') }],
    })
  })

  it('names the value itself with an empty path', () => {
    expect(checkWith(address)(7)).toMatchObject({ fits: false, misfits: [{ path: '' }] })
  })

  it('reads both forms of a path step, and symbols', () => {
    const schema = speaking(() => ({ issues: [{ message: 'no', path: ['a', { key: 0 }, Symbol('s')] }] }))
    expect(checkWith(schema)(null)).toEqual({
      fits: false,
      misfits: [{ path: 'a.0.Symbol(s)', message: 'no' }],
    })
  })

  it('takes an issue without a path as one of the value itself', () => {
    expect(checkWith(speaking(() => ({ issues: [{ message: 'no' }] })))(null)).toMatchObject({
      misfits: [{ path: '', message: 'no' }],
    })
  })

  it.each([
    ['an error', new Error('boom'), 'the schema itself failed: boom'],
    ['anything else', 'boom', 'the schema itself failed: boom'],
  ])('C1: a schema that throws %s has refused', (_, thrown, message) => {
    const schema = speaking(() => {
      throw thrown
    })
    expect(checkWith(schema)(1)).toEqual({ fits: false, misfits: [{ path: '', message }] })
  })

  it.each([
    ['of zod', z.string().refine(async () => true)],
    ['whose promise fails', speaking(() => Promise.reject(new Error('nobody waits for this')))],
  ])('C1: a schema %s that answers later has refused, and nobody waits', async (_, later) => {
    expect(checkWith(later)('x')).toMatchObject({
      fits: false,
      misfits: [{ message: expect.stringContaining('answers later') }],
    })
    await new Promise(setImmediate)
  })

  it('bounds what it says of a large wrong value', () => {
    const checked = checkWith(z.array(z.string()))(Array.from({ length: 5000 }, () => 1))
    expect(checked).toMatchObject({ fits: false, misfits: { length: 20 } })
    const long = checkWith(speaking(() => ({ issues: [{ message: 'x'.repeat(5000) }] })))(1)
    expect(long).toMatchObject({ misfits: [{ message: 'x'.repeat(200) }] })
  })
})

it('misfit bounds its message', () => {
  expect(misfit({ path: 'a', message: 'x'.repeat(500) })).toEqual({
    fits: false,
    misfits: [{ path: 'a', message: 'x'.repeat(200) }],
  })
})

it.each([
  [[{ path: 'a', message: 'no' }], 'a: no'],
  [[{ path: '', message: 'no' }], 'no'],
  [['a', 'b', 'c', 'd', 'e'].map((path) => ({ path, message: 'no' })), 'a: no; b: no; c: no; and 2 more'],
  [['a', 'b', 'c'].map((path) => ({ path, message: 'no' })), 'a: no; b: no; c: no'],
])('inWords %#', (misfits, words) => {
  expect(inWords(misfits)).toBe(words)
})

it.each([
  [z.string(), true],
  [Object.assign(() => undefined, { '~standard': {} }), true],
  [{}, false],
  [null, false],
  [undefined, false],
  ['~standard', false],
])('isSchema %#', (value, expected) => {
  expect(isSchema(value)).toBe(expected)
})
