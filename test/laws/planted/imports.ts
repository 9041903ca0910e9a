// Planted trees for the laws of imports and cycles.

import { cycles } from '../cycles.ts'
import { imports } from '../imports.ts'
import { inFile, type Planted } from './planted.ts'

const core = inFile(imports, 'src/core/a.ts')
const engine = inFile(imports, 'src/engine/a.ts')
const email = inFile(imports, 'src/runners/email/send.ts')
const definitions = inFile(imports, 'src/definitions/a.ts')

const red: readonly Planted[] = [
  core('core knows nobody', `import { open } from '../engine/engine.ts'`, '1 core imports engine'),
  core('a type is knowledge too', `import type { Store } from '../store/store.ts'`, '1 core imports store'),
  core('a type in place', `export type S = import('../store/store.ts').Store`, '1 core imports store'),
  core('a re-export', `export * from '../runners/runner.ts'`, '1 core imports runner'),
  core('no node: in core', `import { createHash } from 'node:crypto'`, '1 core imports node:crypto'),
  core('nor without its prefix', `import { join } from 'path'`, '1 core imports node:path'),
  core('nor a module that reaches out', `await import('node:net')`, '1 core imports node:net'),
  core('nor its types', `/// <reference types="node" />\n`, '1 core imports the package reference:node'),
  core('nor the browser', `/// <reference lib="dom" />\n`, '1 core imports the package reference:dom'),
  core('a library core may not have', `import { z } from 'zod'`, '1 core imports the package zod'),
  core('a template as specifier', 'export const m = import(`zod`)', '1 core imports the package zod'),
  core(
    'a file given as address',
    `import 'data:text/javascript,1'`,
    '1 core imports the package data:text/javascript,1',
  ),
  core('a test is not a source', `import { given } from './b.test.ts'`, '1 core imports tests'),
  core(
    'support of the tests is not a source',
    `import { o } from '../../test/time/oracle.ts'`,
    '1 core imports tests',
  ),
  core(
    'nothing outside the repository',
    `import x from '../../../shared/x.ts'`,
    '1 core imports ../shared/x.ts, which is in no room',
  ),
  engine(
    'engine knows no concrete store',
    `import { s } from '../store/sqlite/store.ts'`,
    '1 engine imports sqlite',
  ),
  engine(
    'engine knows no concrete runner',
    `import { e } from '../runners/email/send.ts'`,
    '1 engine imports runners',
  ),
  engine('engine knows no server', `const s = require('../server/app.ts')`, '1 engine imports server'),
  engine(
    'a way round',
    `import { s } from './../../src/store/postgres/../sqlite/x.ts'`,
    '1 engine imports sqlite',
  ),
  email(
    'a runner knows no other',
    `import { s } from '../sms/send.ts'`,
    '1 runners/email imports runners/sms',
  ),
  email('a runner knows no store', `import { s } from '../../store/store.ts'`, '1 runners imports store'),
  definitions(
    'definitions know no concrete runner',
    `import '../runners/email/send.ts'`,
    '1 definitions imports runners',
  ),
  inFile(imports, 'src/store/sqlite/a.ts')(
    'stores are strangers',
    `import '../postgres/rows.ts'`,
    '1 sqlite imports postgres',
  ),
  inFile(imports, 'src/client/a.ts')(
    'client knows no server',
    `import type { A } from '../server/app.ts'`,
    '1 client imports server',
  ),
  inFile(imports, 'console/src/a.tsx')(
    'console knows the client only',
    `import '../../src/core/json.ts'`,
    '1 console imports core',
  ),
  inFile(imports, 'src/testing/a.ts')(
    'testing knows no store',
    `import '../store/sqlite/store.ts'`,
    '1 testing imports sqlite',
  ),
  inFile(imports, 'src/runners/slack.ts')(
    'nor one in a file',
    `import './email/mime.ts'`,
    '1 runners/slack imports runners/email',
  ),
  inFile(imports, 'src/runners/runner.ts')(
    'the contract knows no door',
    `import '../egress/fetch.ts'`,
    '1 runner imports egress',
  ),
  inFile(imports, 'src/runners/perform.ts')(
    'nor any runner',
    `import './slack.ts'`,
    '1 runner imports runners',
  ),
  inFile(imports, 'src/store/mysql/store.ts')(
    'a room nobody planned',
    'export const x = 1',
    '1 a file in no room',
  ),
  inFile(imports, 'src/pawl.ts')('a file beside the rooms', 'export const x = 1', '1 a file in no room'),
]

const green: readonly Planted[] = [
  core('its own folder', `import './b.ts'`),
  core('a name in a string', `export const help = "import { x } from '../engine/x.ts'"`),
  engine(
    'ports, core and the contract',
    `import '../store/reader.ts'\nimport '../core/a.ts'\nimport '../runners/runner.ts'`,
  ),
  email(
    'its own folder, the contract, the door',
    `import './mime.ts'\nimport '../runner.ts'\nimport '../../egress/fetch.ts'`,
  ),
  definitions(
    'parsing',
    `import { z } from 'zod'\nimport { parseDocument } from 'yaml'\nimport '../runners/runner.ts'`,
  ),
  inFile(imports, 'src/index.ts')('the index opens stores', `export * from './store/sqlite/store.ts'`),
  inFile(imports, 'src/core/a.test.ts')(
    'a test may know all',
    `import '../engine/engine.ts'\nimport fc from 'fast-check'`,
  ),
  inFile(imports, 'examples/01-lease.ts')('an example', `import { machine } from '../src/index.ts'`),
]

const ring = (
  title: string,
  tree: Readonly<Record<string, string>>,
  ...expect: readonly string[]
): Planted => ({
  law: cycles,
  title,
  tree,
  expect,
})

export const plantedImports: readonly Planted[] = [
  ...red,
  ...green,
  ring(
    'two files',
    { 'src/core/a.ts': `\nimport './b.ts'`, 'src/core/b.ts': `import './a.ts'` },
    'src/core/a.ts:2 a cycle src/core/a.ts → src/core/b.ts → src/core/a.ts',
  ),
  ring(
    'types only, over three files and two folders',
    {
      'src/core/a.ts': `import type { B } from './time/b.ts'`,
      'src/core/time/b.ts': `export type B = import('../c.ts').C`,
      'src/core/c.ts': `export { type A } from './a.ts'`,
    },
    'src/core/a.ts:1 a cycle src/core/a.ts → src/core/time/b.ts → src/core/c.ts → src/core/a.ts',
  ),
  ring(
    'itself',
    { 'src/core/a.ts': `import './a.ts'` },
    'src/core/a.ts:1 a cycle src/core/a.ts → src/core/a.ts',
  ),
  ring(
    'hidden in a dynamic import and an ending left out',
    { 'src/core/a.ts': `import './b.js'`, 'src/core/b.ts': `export const a = () => import('./a')` },
    'src/core/a.ts:1 a cycle src/core/a.ts → src/core/b.ts → src/core/a.ts',
  ),
  ring(
    'two rings, told apart',
    {
      'src/a.ts': `import './b.ts'`,
      'src/b.ts': `import './a.ts'`,
      'src/c.ts': `import './d.ts'\nimport './a.ts'`,
      'src/d.ts': `import './c.ts'`,
    },
    'src/a.ts:1 a cycle src/a.ts → src/b.ts → src/a.ts',
    'src/c.ts:1 a cycle src/c.ts → src/d.ts → src/c.ts',
  ),
  ring('a diamond is no ring', {
    'src/a.ts': `import './b.ts'\nimport './c.ts'`,
    'src/b.ts': `import './d.ts'`,
    'src/c.ts': `import './d.ts'`,
    'src/d.ts': 'export const d = 1',
  }),
]
