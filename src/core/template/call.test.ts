import { describe, expect, it } from 'vitest'
import type { Json } from '../json.ts'
import { FILTERS } from './filters.ts'
import { render } from './render.ts'

const refused = (template: Json, scope: Record<string, Json> = {}) => expect(() => render(template, scope))

describe('a filter that cannot be bound', () => {
  it('is unknown, with the nearest', () => {
    refused({ a: 'x {{ v | uper }}' }).toThrow(
      expect.objectContaining({
        code: 'invalid_template',
        message: '"{{ v | uper }}": there is no filter "uper"',
        details: {
          path: 'a',
          offset: 9,
          expected: `one of ${[...FILTERS.keys()].join(', ')}`,
          suggestion: 'upper',
        },
      }),
    )
  })

  it('is unknown, and nothing is near', () => {
    refused('{{ v | constructor }}').toThrow(
      expect.objectContaining({ details: expect.not.objectContaining({ suggestion: expect.anything() }) }),
    )
  })

  it.each([
    ['upper: 1', 'upper is given 1 argument(s)', '0'],
    ['join', 'join is given 0 argument(s)', '1'],
    ["join: ',', 2", 'join is given 2 argument(s)', '1'],
    ['date', 'date is given 0 argument(s)', '1 to 2'],
    ['number', 'number is given 0 argument(s)', '1 to 2'],
    ['currency', 'currency is given 0 argument(s)', '1 to 2'],
    ['truncate', 'truncate is given 0 argument(s)', '1'],
    ["default: 'x', 'y'", 'default is given 2 argument(s)', '1'],
    ['json: 1', 'json is given 1 argument(s)', '0'],
    ["date: 'D', 'UTC', 1", 'date is given 3 argument(s)', '1 to 2'],
    ['default', 'default is given 0 argument(s)', '1'],
  ])('%s: wrong number of arguments', (filter, what, expected) => {
    refused(`{{ v | ${filter} }}`, { v: null }).toThrow(
      expect.objectContaining({
        code: 'invalid_template',
        message: `"{{ v | ${filter} }}": ${what}`,
        details: { path: '', offset: 7, expected },
      }),
    )
  })

  it.each([
    ['truncate: 0', 'truncate', 'a whole number from 1 to 10000'],
    ["truncate: '5'", 'truncate', 'a whole number from 1 to 10000'],
    ['join: null', 'join', 'a text'],
    ["number: 2, 'xx'", 'number', 'a locale such as en-GB or de-DE'],
    ["currency: 'euro'", 'currency', 'a currency code such as EUR'],
    ["date: 'yyyy'", 'date', 'tokens such as D MMMM YYYY HH:mm, and other text in [brackets]'],
  ])('%s: wrong literal', (filter, name, expected) => {
    refused(`{{ v | ${filter} }}`).toThrow(
      expect.objectContaining({
        code: 'invalid_template',
        message: `"{{ v | ${filter} }}": ${name} cannot use this argument`,
        details: { path: '', offset: 7, expected },
      }),
    )
  })

  it('suggests the zone that was meant', () => {
    refused("{{ v | date: 'D', 'Europe/Londn' }}").toThrow(
      expect.objectContaining({
        code: 'invalid_template',
        details: {
          path: '',
          offset: 7,
          expected: 'a time zone such as Europe/London',
          suggestion: 'Europe/London',
        },
      }),
    )
  })
})

describe('an argument from a variable', () => {
  const scope = { v: 0, settings: { zone: 'Canary/Nowhere' } }

  it('S34: is refused without being shown', () => {
    refused({ a: "{{ v | date: 'D', settings.zone }}" }, scope).toThrow(
      expect.objectContaining({
        code: 'template_value_forbidden',
        message: `"{{ v | date: 'D', settings.zone }}": date cannot use this argument`,
        details: { path: 'a', expected: 'a time zone such as Europe/London' },
      }),
    )
  })

  it('must exist', () => {
    refused({ a: "{{ v | date: 'D', settings.zon }}" }, scope).toThrow(
      expect.objectContaining({
        code: 'unknown_variable',
        message: `"{{ v | date: 'D', settings.zon }}": there is no "zon" in settings`,
        details: { path: 'a', suggestion: 'settings.zone' },
      }),
    )
  })
})
