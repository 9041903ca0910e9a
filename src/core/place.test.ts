import { expect, it } from 'vitest'
import { permanent } from './action-error.ts'
import { placeOf } from './place.ts'

const thrown = (stack: unknown): Error => Object.assign(new Error('no'), { stack })

it.each([
  ['a function', '    at charge (file:///app/billing.ts:10:7)', 'charge (billing.ts)'],
  [
    'one that was awaited',
    '    at async Object.execute (/app/src/billing.js:1:2)',
    'Object.execute (billing.js)',
  ],
  ['no function', '    at file:///app/main.ts:3:1', 'main.ts'],
  ['another system', '    at charge (C:\\app\\billing.ts:10:7)', 'charge (billing.ts)'],
  [
    'the innermost of the project',
    '    at connect (node:net:1:1)\n    at send (/app/node_modules/smtp/index.js:1:1)\n    at mail (/app/mail.ts:1:1)\n    at all (/app/all.ts:1:1)',
    'mail (mail.ts)',
  ],
  ['a message of several lines', 'and more\n    at charge (/app/billing.ts:1:1)', 'charge (billing.ts)'],
  ['nobody of the project', '    at connect (node:net:1:1)', undefined],
  ['no frames', '', undefined],
  ['no text', 7, undefined],
])('%s', (_, stack, place) => {
  expect(placeOf(thrown(typeof stack === 'string' ? `Error: no\n${stack}` : stack))).toBe(place)
})

it('a line that moved is the same place', () => {
  const at = (line: number) => placeOf(thrown(`Error: no\n    at charge (/app/billing.ts:${line}:9)`))
  expect(at(10)).toBe(at(11))
})

it('of what a runner throws on purpose it is where it did', () => {
  const decline = () => permanent('declined', 'no')
  expect(placeOf(decline())).toBe('decline (place.test.ts)')
})

it.each([
  ['text', 'no'],
  ['nothing', undefined],
  [
    'a stack that throws',
    Object.defineProperty(new Error('no'), 'stack', { get: () => expect.unreachable() }),
  ],
])('%s has no place', (_, value) => {
  expect(placeOf(value)).toBeUndefined()
})
