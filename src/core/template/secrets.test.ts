import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json } from '../json.ts'
import { type Rendered, render, type SecretSlot } from './render.ts'
import { fillSecrets, secretNames, secretPlaces } from './secrets.ts'

const lookup = (name: string): string => `<${name}>`

describe('X-05, F-023: two stages', () => {
  const template = {
    'a/b~c': ['x', { token: 'Bearer {{ secrets.one }} {{v}} {{secrets.two}}{{secrets.one}}' }],
    whole: '{{secrets.two}}',
    plain: '{{v}}',
  }
  const rendered = render(template, { v: '{{secrets.one}}' })

  it('the first leaves references and says exactly where they are', () => {
    const text = 'Bearer {{secrets.one}} {{secrets.one}} {{secrets.two}}{{secrets.one}}'
    const at = (start: number, end: number, name: string): SecretSlot => ({
      pointer: '/a~1b~0c/1/token',
      start,
      end,
      name,
    })
    expect(rendered).toEqual({
      value: { 'a/b~c': ['x', { token: text }], whole: '{{secrets.two}}', plain: '{{secrets.one}}' },
      secrets: [
        at(7, 22, 'one'),
        at(39, 54, 'two'),
        at(54, 69, 'one'),
        { pointer: '/whole', start: 0, end: 15, name: 'two' },
      ],
    })
    for (const { start, end, name } of rendered.secrets.slice(0, 3))
      expect(text.slice(start, end)).toBe(`{{secrets.${name}}}`)
  })

  it('the second fills those, never a look-alike, and changes nothing else', () => {
    const before = structuredClone(rendered)
    expect(fillSecrets(rendered, lookup)).toEqual({
      'a/b~c': ['x', { token: 'Bearer <one> {{secrets.one}} <two><one>' }],
      whole: '<two>',
      plain: '{{secrets.one}}',
    })
    expect(rendered).toEqual(before)
  })

  it('a secret that looks like a reference stays what it is', () => {
    const filled = fillSecrets(render('{{secrets.a}}-{{secrets.b}}', {}), () => '{{secrets.b}}')
    expect(filled).toBe('{{secrets.b}}-{{secrets.b}}')
  })

  it('survives being stored', () => {
    const stored = JSON.parse(JSON.stringify(rendered)) as Rendered
    expect(fillSecrets(stored, lookup)).toEqual(fillSecrets(rendered, lookup))
  })

  it('fills a whole template, and nothing where there is nothing', () => {
    expect(fillSecrets(render('{{secrets.a}}', {}), lookup)).toBe('<a>')
    expect(fillSecrets({ value: { a: 1 }, secrets: [] }, lookup)).toEqual({ a: 1 })
  })

  it('is right whatever the texts around are', () => {
    const text = fc.string({ unit: 'binary', maxLength: 6 }).filter((piece) => !piece.includes('{'))
    fc.assert(
      fc.property(text, fc.string(), text, fc.string(), (left, v, right, key) => {
        fc.pre(key !== '__proto__')
        const around = { [key]: [`${left}{{v}}{{secrets.a}}${right}{{secrets.b}}{{v}}`] }
        expect(fillSecrets(render(around, { v }), lookup)).toEqual({
          [key]: [`${left}${v}<a>${right}<b>${v}`],
        })
      }),
      { numRuns: 300 },
    )
  }, 60_000)
})

describe('a config that was edited after rendering', () => {
  const slot: SecretSlot = { pointer: '/a/0', start: 1, end: 14, name: 'k' }

  it('the slot fits', () => {
    expect(fillSecrets({ value: { a: ['x{{secrets.k}}y'] }, secrets: [slot] }, lookup)).toEqual({
      a: ['x<k>y'],
    })
  })

  it.each<[Json]>([
    [{ a: ['{{secrets.k}}y'] }],
    [{ a: ['xy{{secrets.k}}'] }],
    [{ a: ['x{{secrets.j}}y'] }],
    [{ a: [5] }],
    [{ a: [['x{{secrets.k}}']] }],
    [{ a: [] }],
    [{ a: 'x{{secrets.k}}' }],
    [{}],
    [null],
  ])('%j gets no secret', (value) => {
    expect(() => fillSecrets({ value, secrets: [slot] }, () => 'canary')).toThrow(
      expect.objectContaining({
        code: 'invalid_template',
        message: '{{secrets.k}} no longer stands at "/a/0"',
        details: { path: '/a/0', expected: 'the config as it was rendered' },
      }),
    )
  })

  it('a pointer to a prototype leads nowhere', () => {
    for (const pointer of ['/__proto__/x', '/constructor/name', '/a/length'])
      expect(() => fillSecrets({ value: { a: [] }, secrets: [{ ...slot, pointer }] }, lookup)).toThrow(
        expect.objectContaining({ code: 'invalid_template' }),
      )
    expect(({} as Record<string, unknown>)['x']).toBeUndefined()
  })
})

describe('S27: the secrets of a template', () => {
  const template = {
    a: ['{{secrets.one}} {{secrets.two}}', 'x {{secrets.one}}'],
    'b/c': { d: '{{ secrets.three }}', e: '{{v}}' },
  }

  it('by name, each once', () => {
    expect(secretNames(template)).toEqual(['one', 'two', 'three'])
    expect(secretNames('{{v}}')).toEqual([])
  })

  it('by place, each once', () => {
    expect(secretPlaces(template)).toEqual(['/a/0', '/a/1', '/b~1c/d'])
    expect(secretPlaces('{{secrets.x}}')).toEqual([''])
    expect(secretPlaces(null)).toEqual([])
  })
})
