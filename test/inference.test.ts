// Compiles the programs of test/types: right ones must compile, wrong ones must fail for the reason written beside the
// wrong word, and for no other. A line `code // TS2322 at to: Type '"c"' is not assignable … "b"` expects that there:
// the code, the text that is underlined, parts of the message. (Which order a union is printed in is not ours to say.)

import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { beforeAll, describe, expect, it } from 'vitest'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const EXPECTED = /\/\/ TS(\d+) at (\S+): (.+)$/

const filesIn = (folder: string): readonly string[] =>
  readdirSync(join(ROOT, 'test/types', folder))
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `test/types/${folder}/${name}`)

/** Under the project's own options: what is wrong for us is what is wrong for users as strict as we are. */
const compile = (files: readonly string[]): ts.Program => {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.test.json'), ts.sys.readFile)
  const { options, errors } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT)
  if (errors.length > 0) throw new Error(errors.map((error) => String(error.messageText)).join('\n'))
  return ts.createProgram(
    files.map((file) => join(ROOT, file)),
    { ...options, noEmit: true },
  )
}

interface Told {
  readonly line: number
  readonly code: number
  /** The text it underlines, up to the first space. */
  readonly at: string
  readonly message: string
}

const toldOf = (program: ts.Program, path: string): readonly Told[] => {
  const file = program.getSourceFile(join(ROOT, path))!
  const found = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]
  return found.map(({ start = 0, length = 0, code, messageText }) => ({
    line: file.getLineAndCharacterOfPosition(start).line + 1,
    code,
    at: file.text.slice(start, start + length).split(/\s/)[0]!,
    message: ts.flattenDiagnosticMessageText(messageText, '\n'),
  }))
}

const expectedOf = (path: string): readonly Told[] =>
  readFileSync(join(ROOT, path), 'utf8')
    .split('\n')
    .flatMap((text, index) => {
      const [, code, at, message] = EXPECTED.exec(text) ?? []
      return code === undefined ? [] : [{ line: index + 1, code: Number(code), at: at!, message: message! }]
    })

const says = (message: string, parts = 'nothing was expected'): boolean =>
  parts.split(' … ').every((part) => message.includes(part))

const WRONG = filesIn('wrong')
const RIGHT = filesIn('right')

describe('types', () => {
  const told = new Map<string, readonly Told[]>()
  beforeAll(() => {
    const program = compile([...WRONG, ...RIGHT])
    for (const path of [...WRONG, ...RIGHT]) told.set(path, toldOf(program, path))
  }, 300_000)

  it.each(RIGHT)('%s compiles', (path) => {
    expect(told.get(path)).toEqual([])
  })

  it.each(WRONG)('%s fails where and why it says', (path) => {
    const expected = expectedOf(path)
    expect(expected.length).toBeGreaterThan(0)
    const found = told
      .get(path)!
      .map((each, index) =>
        says(each.message, expected[index]?.message) ? { ...each, message: expected[index]!.message } : each,
      )
    expect(found).toEqual(expected)
  })

  it('holds at least forty wrong uses', () => {
    expect(WRONG.flatMap(expectedOf).length).toBeGreaterThanOrEqual(40)
  })
})
