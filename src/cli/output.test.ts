import { describe, expect, it } from 'vitest'
import { curlOf } from './explain.ts'
import { readObjectInput, readPairs } from './json-input.ts'
import { lineDiff } from './line-diff.ts'
import { createMoments } from './moments.ts'
import { type Column, createOutput, plainText } from './output.ts'
import type { Terminal } from './terminal.ts'

const heard = (columns = Number.POSITIVE_INFINITY) => {
  const lines: string[] = []
  const terminal: Terminal = {
    print: (line) => lines.push(line),
    say: () => undefined,
    redraw: () => undefined,
    style: (_, text) => text,
    isShown: false,
    canAsk: false,
    canDraw: false,
    columns,
  }
  return { lines, terminal }
}
const ROWS = [
  { id: 'a', n: 1, deep: { x: 1 } },
  { id: 'bbb', n: 22 },
]
const COLUMNS: readonly Column<(typeof ROWS)[number]>[] = [
  { title: 'ID', text: ({ id }) => id },
  { title: 'NUMBER', text: ({ n }) => String(n) },
]

describe('data', () => {
  it('is a table for people, with columns that line up', () => {
    const { lines, terminal } = heard()
    createOutput(terminal, {}).rows(ROWS, COLUMNS)
    expect(lines).toEqual(['ID   NUMBER', 'a    1', 'bbb  22'])
  })

  it('on a narrow terminal a line is cut, never wrapped', () => {
    const { lines, terminal } = heard(6)
    createOutput(terminal, {}).rows(ROWS, COLUMNS)
    expect(lines).toEqual(['ID   …', 'a    1', 'bbb  …'])
  })

  it('no rows are no lines, and an empty list as JSON', () => {
    const [people, programs] = [heard(), heard()]
    createOutput(people.terminal, {}).rows([], COLUMNS)
    createOutput(programs.terminal, { json: true }).rows([], COLUMNS)
    expect([people.lines, programs.lines]).toEqual([[], ['[]']])
  })

  it.each([
    [{ json: true as const }, JSON.stringify(ROWS, undefined, 2)],
    [
      { json: 'n, deep.x' },
      JSON.stringify(
        [
          { n: 1, 'deep.x': 1 },
          { n: 22, 'deep.x': null },
        ],
        undefined,
        2,
      ),
    ],
    [{ jsonl: true }, ROWS.map((row) => JSON.stringify(row)).join('\n')],
    [{ jsonl: true, json: 'id' }, '{"id":"a"}\n{"id":"bbb"}'],
  ])('%j', (options, text) => {
    const { lines, terminal } = heard()
    createOutput(terminal, options).rows(ROWS, COLUMNS)
    expect(lines.join('\n')).toBe(text)
  })

  it('a field that no row has is refused with the nearest', () => {
    const told = expect.objectContaining({ details: expect.objectContaining({ suggestion: 'deep' }) })
    expect(() => createOutput(heard().terminal, { json: 'deap' }).rows(ROWS, COLUMNS)).toThrow(told)
  })

  it('the text of a stranger cannot command the terminal', () => {
    expect(plainText('a\u001b[2Jb\u202Ec\nd')).toBe('a [2Jb c d')
  })
})

describe('moments', () => {
  const now = Date.parse('2026-03-28T09:00:00Z')
  it.each([
    ['iso', undefined, '2026-03-28T10:30:00.000Z'],
    ['unix', undefined, '1774693800'],
    ['relative', undefined, 'in 1h 30m'],
    ['iso', 'America/New_York', expect.stringContaining('06:30')],
  ] as const)('%s in %s', (style, zone, shown) => {
    expect(createMoments(style, zone, () => now)('2026-03-28T10:30:00.000Z')).toEqual(shown)
  })

  it('what has passed is ago, nothing is nothing, and a zone that is none is refused', () => {
    const show = createMoments('relative', undefined, () => now)
    const moments = [
      '2026-03-28T08:59:58Z',
      '2026-03-28T08:53:00Z',
      '2026-03-28T07:00:00Z',
      '2026-03-16T09:00:00Z',
    ]
    expect([...moments, undefined].map(show)).toEqual(['2s ago', '7m ago', '2h ago', '12d ago', ''])
    expect(() => createMoments('iso', 'Mars/Phobos', () => now)).toThrow('is no time zone')
  })
})

describe('input', () => {
  it('pairs are an object, and what reads as JSON is JSON', () => {
    expect(readPairs(['to=ada@b.co', 'days=6', 'ok=true', 'text=a=b', 'list=[1]', 'none='])).toEqual({
      to: 'ada@b.co',
      days: 6,
      ok: true,
      text: 'a=b',
      list: [1],
      none: '',
    })
    expect(() => readPairs(['nothing'])).toThrow('is no pair')
  })

  it('JSON that is none, or no object, is refused by the name of its flag', () => {
    expect(readObjectInput('{"a":1}', '--with')).toEqual({ a: 1 })
    for (const text of ['{', '[1]', '1']) expect(() => readObjectInput(text, '--with')).toThrow('--with is n')
  })
})

it('a difference is what goes and what comes, whatever the order of keys', () => {
  const before = { a: 1, b: { c: [1, 2], d: {} } }
  expect(lineDiff(before, { b: { d: {}, c: [1, 2] }, a: 1 })).toEqual([])
  expect(lineDiff(before, { a: 2, b: { c: [1], e: null } })).toEqual([
    '- a: 1',
    '+ a: 2',
    '- b.c.1: 2',
    '- b.d: {}',
    '+ b.e: null',
  ])
})

it('a request is shown as curl, quoted for a shell, without its key', () => {
  const headers = { authorization: 'Bearer hush', accept: 'a' }
  expect(curlOf('http://x/a?b', { method: 'POST', headers, body: `{"a":"it's"}` })).toBe(
    `curl -X POST 'http://x/a?b' \\\n  -H "Authorization: Bearer $PAWL_TOKEN" \\\n  -H 'accept: a' \\\n  --data '{"a":"it'\\''s"}'`,
  )
})
