import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json } from '../json.ts'
import { render, renderText } from './render.ts'
import { scopeOf } from './scope.ts'

const scope = scopeOf({
  execution: {
    id: 'l_882',
    state: 'active',
    variables: { name: 'Ada', count: 3, paid: false, note: null, tags: ['a', 'b'], 'full name': 'Ada L' },
  },
  event: {
    id: 'evt_1',
    type: 'notice.received',
    payload: { until: '2026-12-31', deep: { list: [{ x: 1 }] } },
  },
  now: Date.UTC(2026, 10, 16, 9, 30),
  extra: { recurring_id: 'r_1', execution_time: '2026-11-16T09:00:00.000Z' },
})

describe('F-020: placeholders resolve', () => {
  it.each<[string, Json]>([
    ['{{execution.variables.name}}', 'Ada'],
    ['{{execution.id}}', 'l_882'],
    ['{{execution.state}}', 'active'],
    ['{{variables.count}}', 3],
    ['{{context.name}}', 'Ada'],
    ['{{subject.name}}', 'Ada'],
    ['{{message.payload.until}}', '2026-12-31'],
    ['{{event.payload.until}}', '2026-12-31'],
    ['{{event.data.until}}', '2026-12-31'],
    ['{{message.data.deep.list[0].x}}', 1],
    ['{{message.type}}', 'notice.received'],
    ['{{message.id}}', 'evt_1'],
    ['{{now}}', '2026-11-16T09:30:00.000Z'],
    ['{{recurring_id}}/{{execution_time}}', 'r_1/2026-11-16T09:00:00.000Z'],
    ['{{variables["full name"]}}', 'Ada L'],
    ['{{variables.tags.1}}', 'b'],
    [
      '{{event}}',
      { id: 'evt_1', type: 'notice.received', payload: (scope['event'] as { payload: Json }).payload },
    ],
  ])('%s', (template, value) => {
    expect(render(template, scope)).toEqual({ value, secrets: [] })
  })
})

describe('F-021: in every place', () => {
  it('fills nested objects and arrays, and shares what it need not copy', () => {
    const template = {
      url: 'https://x.example/{{execution.id}}?n={{variables.count}}',
      headers: { 'X-Name': 'name {{variables.name}}', Fixed: 'yes' },
      list: ['{{variables.name}}', ['{{variables.count}}', 2], { a: '{{variables.paid}}' }, null],
      fixed: { a: [1, { b: 'text' }] },
      '{{key}}': 'keys are not templates',
      none: null,
    }
    const before = structuredClone(template)
    const { value } = render(template, scope)
    expect(value).toEqual({
      url: 'https://x.example/l_882?n=3',
      headers: { 'X-Name': 'name Ada', Fixed: 'yes' },
      list: ['Ada', [3, 2], { a: false }, null],
      fixed: { a: [1, { b: 'text' }] },
      '{{key}}': 'keys are not templates',
      none: null,
    })
    expect(template).toEqual(before)
    expect((value as typeof template).fixed).toBe(template.fixed)
  })

  it.each<[Json]>([[null], [5], [true], ['plain'], [''], [[]], [{}], [{ a: [1, 'x'] }]])(
    '%j is its own rendering',
    (template) => {
      expect(render(template, {}).value).toBe(template)
    },
  )
})

describe('F-022: types', () => {
  it.each<[string, Json]>([
    ['{{variables.count}}', 3],
    ['{{variables.paid}}', false],
    ['{{variables.note}}', null],
    ['{{variables.tags}}', ['a', 'b']],
    ['{{ variables.tags }}', ['a', 'b']],
    ['{{ variables.note | default: variables.tags }}', ['a', 'b']],
    ['{{ 5 }}', 5],
    ['{{ null }}', null],
    [' {{variables.count}}', ' 3'],
    ['{{variables.count}} ', '3 '],
    ['{{variables.paid}}{{variables.count}}', 'false3'],
    ['<{{variables.note}}>', '<>'],
    ['<{{variables.tags}}>', '<["a","b"]>'],
    ['<{{message.payload.deep}}>', '<{"list":[{"x":1}]}>'],
  ])('%s', (template, value) => {
    expect(render(template, scope).value).toEqual(value)
  })

  it('hands on the very value', () => {
    const payload = { a: { b: 1 } }
    expect(render({ x: '{{p}}' }, { p: payload }).value).toEqual({ x: payload })
    expect((render({ x: '{{p}}' }, { p: payload }).value as { x: unknown }).x).toBe(payload)
  })

  it('can be asked for text', () => {
    expect(renderText('{{variables.tags}}', scope)).toBe('["a","b"]')
    expect(renderText('{{variables.count}}', scope)).toBe('3')
    expect(renderText('{{variables.note}}', scope)).toBe('')
    expect(renderText('a {{variables.name}}', scope)).toBe('a Ada')
  })
})

describe('a missing variable', () => {
  it.each([
    '{{variables.nme}}',
    'x {{variables.nme}}',
    '{{ variables.nme | upper }}',
    '{{ variables.nme | trim | default: 1 }}',
  ])('%s is an error that says where', (template) => {
    expect(() => render({ a: { 'b c': [0, template] } }, scope)).toThrow(
      expect.objectContaining({
        code: 'unknown_variable',
        message: expect.stringMatching(/^"\{\{.*\}\}": there is no "nme" in variables$/),
        details: { path: 'a["b c"].1', suggestion: 'variables.name' },
      }),
    )
  })

  it.each<[string, Json]>([
    ["{{ variables.nme | default: 'x' }}", 'x'],
    ["{{ nothing.at.all | default: 'x' }}", 'x'],
    ["{{ variables.nme | default: null | default: 'y' }}", 'y'],
    ["{{ variables.name | default: 'x' }}", 'Ada'],
    ["{{ variables.paid | default: 'x' }}", false],
    ["{{ 'literal' | default: 'x' }}", 'literal'],
    ["{{ null | default: 'x' }}", 'x'],
  ])('%s has a default', (template, value) => {
    expect(render(template, scope).value).toEqual(value)
  })

  it('an event that is not there is missing, too', () => {
    const none = scopeOf({ now: 0 })
    expect(() => render('{{event.payload.x}}', none)).toThrow(
      expect.objectContaining({
        code: 'unknown_variable',
        message: '"{{event.payload.x}}": there is no "event"',
      }),
    )
    expect(render('{{event.payload.x | default: 1}}', none).value).toBe(1)
  })
})

describe('S26: one pass', () => {
  it('prints what looks like a placeholder as it is', () => {
    const hostile = '{{secrets.key}} {{a}} {{'
    expect(render({ x: '{{a}}', y: '<{{a}}>', z: '{{ "{{secrets.key}}" }}' }, { a: hostile })).toEqual({
      value: { x: hostile, y: `<${hostile}>`, z: '{{secrets.key}}' },
      secrets: [],
    })
  })

  it('whatever the value is', () => {
    const piece = fc.constantFrom('{{', '}}', 'secrets.', 'a', '{', '}', ' ', '|', '"', '{{secrets.a}}', '\\')
    const value = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))
    fc.assert(
      fc.property(value, (a) => {
        expect(render(['{{a}}', 'x{{a}}y{{a}}'], { a })).toEqual({ value: [a, `x${a}y${a}`], secrets: [] })
      }),
      { numRuns: 500 },
    )
  }, 60_000)
})
