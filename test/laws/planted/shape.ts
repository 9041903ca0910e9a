// Planted trees for the laws of sizes, openings and names.

import { names } from '../names.ts'
import { openings, sizes } from '../sizes.ts'
import { inFile, type Planted } from './planted.ts'

const lines = (count: number, line: string): string => `${line}\n`.repeat(count)
const body = (count: number): string => lines(count, '  work()')
const big = inFile(sizes, 'src/core/a.ts')
const opens = inFile(openings, 'src/core/a.ts')
const named = inFile(names, 'src/core/a.ts')
const at = (path: string): Planted['tree'] => ({ [path]: 'export const x = 1\n' })

const plantedSizes: readonly Planted[] = [
  big('a file of 401 lines', lines(401, 'work()'), '401 401 lines'),
  big('a file of 400 lines', lines(400, 'work()')),
  inFile(sizes, 'test/a.test.ts')('a test of 401 lines', lines(401, 'work()'), '401 401 lines'),
  inFile(sizes, 'src/store/sqlite/generated/sql.ts')('generated code', lines(500, 'work()')),
  inFile(sizes, 'docs/a.json')('data', lines(500, '1')),
  big('a function of 51 lines', `\nfunction f() {\n${body(49)}}\n`, '2 a function of 51 lines'),
  big('an arrow of 51 lines', `export const f = () => {\n${body(49)}}\n`, '1 a function of 51 lines'),
  big(
    'a method of 51 lines',
    `export const o = {\n  f() {\n${body(49)}  },\n}\n`,
    '2 a function of 51 lines',
  ),
  big(
    'an arrow without braces',
    `const f = () =>\n  [\n${lines(48, '  1,')}  ]\n`,
    '1 a function of 51 lines',
  ),
  big(
    'a factory full of closures',
    `const f = () => {\n${lines(49, '  const g = () => 1')}}\n`,
    '1 a function of 51 lines',
  ),
  big('a function of 50 lines', `function f() {\n${body(48)}}\n`),
  inFile(sizes, 'src/core/a.test.ts')('a describe may be long', `describe('x', () => {\n${body(80)}})\n`),
]

const plantedOpenings: readonly Planted[] = [
  opens('no comment', 'export const x = 1\n', '1 no opening comment'),
  opens(
    'a comment that comes too late',
    `import './b.ts'\n// Owns what it owns, well.\n`,
    '1 no opening comment',
  ),
  opens('a comment that says nothing', '// x\n\nexport const x = 1\n', '1 no opening comment'),
  opens('an empty block', '/* ***** */\nexport const x = 1\n', '1 no opening comment'),
  opens(
    'seven lines',
    `${lines(7, '// Owns a great many things.')}\nexport const x = 1\n`,
    '1 an opening comment of 7 lines',
  ),
  opens(
    'a licence',
    '// Copyright the authors, all rights kept.\n\nexport const x = 1\n',
    '1 a licence header',
  ),
  opens(
    'six lines',
    `${lines(6, '// Owns a great many things.')}\n// Another comment, apart from it.\nexport const x = 1\n`,
  ),
  opens('a block', '/**\n * Owns the one thing here.\n */\n\nexport const x = 1\n'),
  inFile(openings, 'src/cli/a.ts')(
    'after a shebang',
    '#!/usr/bin/env node\n// Owns the entry of the program.\nwork()\n',
  ),
]

const plantedNames: readonly Planted[] = [
  ...['utils', 'util', 'helpers', 'common', 'types', 'misc', 'lib', 'interfaces'].map(
    (name): Planted => ({
      law: names,
      title: `a file called ${name}`,
      tree: at(`src/core/${name}.ts`),
      expect: [`src/core/${name}.ts:1 the name ${name}.ts`],
    }),
  ),
  { law: names, title: 'a folder', tree: at('src/lib/a.ts'), expect: ['src/lib/a.ts:1 the name lib'] },
  {
    law: names,
    title: 'in capitals',
    tree: at('src/Utils.ts'),
    expect: ['src/Utils.ts:1 the name Utils.ts'],
  },
  {
    law: names,
    title: 'its test',
    tree: at('src/types.test.ts'),
    expect: ['src/types.test.ts:1 the name types.test.ts'],
  },
  {
    law: names,
    title: 'at the end',
    tree: at('src/lane-types.ts'),
    expect: ['src/lane-types.ts:1 the name lane-types.ts'],
  },
  {
    law: names,
    title: 'no kebab',
    tree: at('src/laneHead.ts'),
    expect: ['src/laneHead.ts:1 the file name laneHead.ts'],
  },
  { law: names, title: 'the type tests', tree: at('test/types/machine.ts'), expect: [] },
  { law: names, title: 'a word inside', tree: at('src/core/type-check.ts'), expect: [] },
  { law: names, title: 'a config', tree: at('vitest.config.ts'), expect: [] },
  named('a manager', 'export const createLeaseManager = () => 1', '1 the name createLeaseManager'),
  named('a service', 'class MailService {}', '1 the name MailService'),
  named('an implementation', 'type StoreImpl = 1', '1 the name StoreImpl'),
  named('as a parameter', 'const f = ({ db: dbHelper }) => dbHelper', '1 the name dbHelper'),
  named('as a member', 'interface Deps {\n  readonly LaneManagers: 1\n}', '2 the name LaneManagers'),
  named('a base', 'export function StoreBase() {}', '1 the name StoreBase'),
  named('an I', 'export interface IStore {}', '1 the name IStore'),
  named('an I on a type', 'type IRow = 1', '1 the name IRow'),
  named('inheritance', 'class A extends B {}', '1 a class that extends B'),
  named('in an expression', 'const A = class extends mixin(Error) {}', '1 a class that extends mixin(Error)'),
  named('a default export', 'export default 1', '1 a default export'),
  named('under another name', 'const x = 1\nexport { x as default }', '2 a default export'),
  named('of a function', 'export default function f() {}', '1 a default export'),
  named('of a module', `export * as default from './b.ts'`, '1 a default export'),
  named('an enum', 'declare const enum Colour { Red }', '1 enum Colour'),
  named('a namespace', 'declare namespace A.B {}', '1 namespace A'),
  named('errors inherit', 'export class PawlError extends Error {}\nclass Late extends PawlError {}'),
  named('words that end alike', 'const database = 1, base = 2, service = 3, impl = 4, IO = 5'),
  named('a thing of others', `import { EventManager } from './b.ts'\nnew EventManager()`),
  inFile(names, 'vitest.config.ts')('a tool wants a default', 'export default {}'),
]

export const plantedShape: readonly Planted[] = [...plantedSizes, ...plantedOpenings, ...plantedNames]
