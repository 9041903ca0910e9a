import { describe, expect, it } from 'vitest'
import { readAddress } from './address.ts'
import { broken, unreached } from './faults.ts'
import { reachFirst } from './reach.ts'

const addresses = (count: number) =>
  Array.from({ length: count }, (_, index) => readAddress(`1.1.1.${index}`)!)
const options = { connectMs: 1000, signal: new AbortController().signal }

describe('the addresses of a host', () => {
  it('are tried in order, each with its share of the time, until one is reached', async () => {
    const tried: unknown[] = []
    const reached = await reachFirst(addresses(3), options, async ({ text }, connectMs) => {
      tried.push([text, connectMs])
      if (tried.length < 2) throw unreached('ECONNREFUSED', 'no')
      return text
    })
    expect(reached).toBe('1.1.1.1')
    expect(tried).toEqual([
      ['1.1.1.0', 334],
      ['1.1.1.1', 334],
    ])
  })

  it('are four at most, and the last says what was wrong', async () => {
    let tries = 0
    const failing = reachFirst(addresses(100), options, async ({ text }) => {
      tries++
      throw unreached('ECONNREFUSED', text)
    })
    await expect(failing).rejects.toThrow('1.1.1.3')
    expect(tries).toBe(4)
  })

  it.each([
    ['a fault after something was sent', broken('ECONNRESET', 'no'), options],
    ['an abort', unreached('ECONNREFUSED', 'no'), { ...options, signal: AbortSignal.abort() }],
  ])('%s ends it: nothing is sent twice', async (_, fault, given) => {
    let tries = 0
    const failing = reachFirst(addresses(3), given, async () => {
      tries++
      throw fault
    })
    await expect(failing).rejects.toBe(fault)
    expect(tries).toBe(1)
  })
})
