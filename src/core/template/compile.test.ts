import { describe, expect, it } from 'vitest'
import { compile, MAX_MEMOISED_LENGTH } from './compile.ts'
import { MEMO_LIMIT } from './memo.ts'
import { render } from './render.ts'

describe('compiling once', () => {
  it('by identity for objects and lists', () => {
    const template = { a: '{{v}}' }
    expect(compile(template)).toBe(compile(template))
    expect(compile(template)).not.toBe(compile({ ...template }))
    const list = ['{{v}}']
    expect(compile(list)).toBe(compile(list))
  })

  it('by text, up to 1,024 characters', () => {
    expect(MAX_MEMOISED_LENGTH).toBe(1024)
    const longest = '{{v}}'.padEnd(1024, 'x')
    expect(compile(longest)).toBe(compile(longest))
    expect(compile(`${longest}x`)).not.toBe(compile(`${longest}x`))
    expect(render(`${longest}x`, { v: 'v' }).value).toHaveLength(1021)
  })

  it('forgets texts', () => {
    const first = compile('{{first}}')
    for (let index = 0; index < MEMO_LIMIT; index++) compile(`{{v}} ${index}`)
    expect(compile('{{first}}')).not.toBe(first)
  })

  it('compiles what is neither', () => {
    expect(compile(5)).toEqual({ node: undefined, room: 262_143, secrets: [] })
    expect(compile(null)).toEqual({ node: undefined, room: 262_140, secrets: [] })
  })
})

describe('keys', () => {
  it('__proto__ is refused, not assigned', () => {
    expect(() => render(JSON.parse('{"a":{"__proto__":"{{v}}"}}'), { v: { polluted: true } })).toThrow(
      expect.objectContaining({
        code: 'invalid_template',
        message: 'a key of a template may not be "__proto__"',
        details: { path: 'a' },
      }),
    )
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  it.each(['constructor', 'prototype', 'toString', ''])('%j is a key like any other', (key) => {
    expect(render({ [key]: '{{v}}' }, { v: 1 }).value).toEqual({ [key]: 1 })
  })
})

describe('errors', () => {
  it('say where the template is wrong', () => {
    expect(() => render({ headers: { 'X-A': ['ok', 'bad {{ a | }}'] } }, {})).toThrow(
      expect.objectContaining({
        code: 'invalid_template',
        details: { path: 'headers.X-A.1', offset: 11, expected: 'the name of a filter' },
      }),
    )
  })
})
