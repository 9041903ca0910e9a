import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatProblem } from '../../src/definitions/format-problem.ts'
import { linkActions } from '../../src/definitions/link-actions.ts'
import { loadDefinition, parseDefinitions } from '../../src/definitions/parse.ts'

// Whatever comes in, nothing is thrown: there are definitions, or problems that a person can read.

const prototype = JSON.stringify(Object.getOwnPropertyNames(Object.prototype))

const isReadable = (text: string): void => {
  expect(text).toMatch(/^[✕!] f(:\d+){2} {2}\S/)
  expect(text).not.toMatch(/Invalid input|: expected \w+, received|\[object Object|\n\s+at |\bNaN:/)
}

const survive = (text: string): void => {
  for (const format of ['json', 'yaml'] as const) {
    const { definitions, problems } = parseDefinitions(text, { file: 'f', format })
    const machines = definitions.filter((each) => each.kind === 'machine')
    const actions = definitions.filter((each) => each.kind === 'action')
    const linked = linkActions(machines, actions)
    for (const found of [...problems, ...linked.problems]) isReadable(formatProblem(found))
    expect(definitions.length + problems.length).toBeGreaterThan(0)
  }
  expect(JSON.stringify(Object.getOwnPropertyNames(Object.prototype))).toBe(prototype)
}

const good = ['good', 'fixtures', 'bad'].flatMap((name) => {
  const folder = new URL(`./${name}/`, import.meta.url)
  return readdirSync(folder)
    .filter((file) => /\.(json|yaml)$/.test(file))
    .map((file) => readFileSync(new URL(file, folder), 'utf8'))
    .filter((text) => text.length < 4000)
})

describe('hostile input', () => {
  it('S31: bytes', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 300 }),
        fc.constantFrom('utf8', 'latin1', 'utf16le'),
        (bytes, encoding) => survive(Buffer.from(bytes).toString(encoding as BufferEncoding)),
      ),
      { numRuns: 300 },
    )
  })

  it('S31: pieces of JSON and YAML in any order', () => {
    const piece = fc.constantFrom(
      ...[
        '{',
        '}',
        '[',
        ']',
        ': ',
        ', ',
        '- ',
        '? ',
        '\n',
        '  ',
        '\t',
        '"',
        "'",
        '&a ',
        '*a',
        '!!x ',
        '|\n',
        '>-\n',
        '#',
      ],
      ...[
        '---\n',
        '...\n',
        '%YAML 1.1\n',
        '<<: ',
        '__proto__',
        'kind: machine\n',
        'actionId: a\n',
        'states',
        'on',
        '{{',
        '}}',
      ],
      ...['secrets.x', '1e999', '0x1', '.nan', '\u0000', '\ud800', '\uFEFF', 'null', 'true', '~'],
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => survive(pieces.join(''))),
      { numRuns: 800 },
    )
  })

  it('real files, cut and spliced', () => {
    const text = fc.constantFrom(...good)
    const splice = fc.tuple(text, text, fc.nat(4000), fc.nat(4000), fc.nat(60))
    fc.assert(
      fc.property(splice, ([a, b, from, to, length]) =>
        survive(a.slice(0, from) + b.slice(to, to + length) + a.slice(from)),
      ),
      { numRuns: 400 },
    )
  })

  it('any JSON, and definitions with any JSON inside', () => {
    const json = fc.jsonValue({ maxDepth: 3 })
    const field = fc.constantFrom(
      'id',
      'initial',
      'states',
      'actions',
      'variables',
      'events',
      'onActionDead',
      'versions',
      'x',
    )
    const state = fc.record(
      { on: json, after: json, enter: json, final: json },
      { requiredKeys: [], noNullPrototype: true },
    )
    const machine = fc
      .tuple(fc.dictionary(field, json, { noNullPrototype: true }), state, json)
      .map(([fields, one, config]) => ({
        kind: 'machine',
        id: 'm',
        initial: 'a',
        states: { a: one, b: { on: { x: config } } },
        actions: [
          { actionId: 'a', type: 'email', triggerState: 'a', config, condition: config, retryPolicy: config },
        ],
        ...fields,
      }))
    fc.assert(
      fc.property(fc.oneof(json, machine), (value) => survive(JSON.stringify(value))),
      { numRuns: 300 },
    )
  })

  it('any value of a program', () => {
    const anything = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withSparseArray: true,
      withTypedArray: true,
      withNullPrototype: true,
    })
    fc.assert(
      fc.property(anything, (value) => {
        const { definitions, problems } = loadDefinition({
          kind: 'machine',
          id: 'm',
          initial: 'a',
          states: value,
        })
        expect(definitions.length + problems.length).toBeGreaterThan(0)
        expect(loadDefinition(value).problems.length).toBeGreaterThan(0)
      }),
      { numRuns: 400 },
    )
  })
})
