import { expect, it, vi } from 'vitest'
import { createSheets } from './sheets.ts'

const claim = (id: string, token = 1, nonce = 'n') => ({ id, token, nonce })
const create = () => {
  const strikeOut = vi.fn((_: readonly string[]) => Promise.resolve())
  return { ...createSheets(strikeOut), strikeOut }
}

it('a sheet is struck out when the last claim on it is over, under the least of their names', () => {
  const { begin, end, takeOver } = create()
  begin([claim('b', 3), claim('a', 2), claim('c')])
  end('a')
  end('c')
  expect(takeOver()).toEqual([])
  end('b')
  expect(takeOver()).toEqual(['a/2/n'])
  expect(takeOver()).toEqual([])
})

it('an end is counted once, and one that nobody knows of not at all', () => {
  const { begin, end, takeOver } = create()
  begin([])
  begin([claim('a'), claim('b')])
  end('a')
  end('a')
  end('stranger')
  expect(takeOver()).toEqual([])
})

it('an action that is claimed again counts for its new sheet: the old one is left to the reaper', () => {
  const { begin, end, takeOver } = create()
  begin([claim('a', 1), claim('b', 1)])
  begin([claim('a', 2)])
  end('a')
  end('b')
  expect(takeOver()).toEqual(['a/2/n'])
})

it('one that was purged and comes again under its id is on a sheet of another name', () => {
  const { begin, end, takeOver } = create()
  begin([claim('a', 1, 'n')])
  end('a')
  begin([claim('a', 1, 'another')])
  expect(takeOver()).toEqual(['a/1/n'])
  end('a')
  expect(takeOver()).toEqual(['a/1/another'])
})

it('where nobody goes to the server for them, somebody goes for fifty; that it failed is nobody’s concern', async () => {
  const { begin, end, takeOver, strikeOut } = create()
  strikeOut.mockRejectedValue(new Error('no connection'))
  for (let n = 0; n < 50; n++) {
    expect(strikeOut).not.toHaveBeenCalled()
    begin([claim(`a${n}`)])
    end(`a${n}`)
  }
  expect(strikeOut).toHaveBeenCalledOnce()
  expect(strikeOut.mock.calls[0]![0]).toHaveLength(50)
  expect(takeOver()).toEqual([])
  await Promise.resolve()
})

it('of claims that never end only so many are remembered', () => {
  const { begin, end, takeOver } = create()
  begin(Array.from({ length: 100_001 }, (_, n) => claim(`a${n}`)))
  begin([claim('b')])
  end('a0')
  end('b')
  expect(takeOver()).toEqual(['b/1/n'])
})
