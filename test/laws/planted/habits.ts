// Planted trees for the laws of shortcuts, places, SQL and dependencies. Machine paths and hosts are put together
// here, because the law reads this file too.

import { dependencies } from '../dependencies.ts'
import { places } from '../places.ts'
import { shortcuts } from '../shortcuts.ts'
import { sql } from '../sql.ts'
import { inFile, type Planted } from './planted.ts'

const source = inFile(shortcuts, 'src/core/a.ts')
const test = inFile(shortcuts, 'src/core/a.test.ts')
const COVERAGE = 'a coverage-ignore comment'
const LATER = 'a note to do it later'

const plantedShortcuts: readonly Planted[] = [
  source('v8', 'x()\n/* v8 ignore next */\ny()', `2 ${COVERAGE}`),
  source('c8', '// c8 ignore start\nx()', `1 ${COVERAGE}`),
  source('istanbul', 'if (x) /* istanbul ignore else */ y()', `1 ${COVERAGE}`),
  source('Node', '/* node:coverage disable */\nx()', `1 ${COVERAGE}`),
  source('before a closing bracket', 'f({\n  a,\n  /* v8   ignore file -- @preserve */\n})', `3 ${COVERAGE}`),
  source('inside a template', `const t = \`\${/* c8 ignore next */ x}\``, `1 ${COVERAGE}`),
  source('in words only', `export const text = '/* v8 ignore next */'\nconst r = /v8 ignore/`),
  source('ts-ignore', '// @ts-ignore\nx()', '1 a comment that switches the type checker off'),
  source('ts-nocheck', '// @ts-nocheck because\nx()', '1 a comment that switches the type checker off'),
  source('an expected error', 'x()\n// @ts-expect-error\ny()', '2 @ts-expect-error outside the tests'),
  test('an expected error in a test', '// @ts-expect-error: a number is no name\nf(1)'),
  source('a note', `x() // ${'TODO'}: later`, `1 ${LATER}`),
  inFile(shortcuts, 'src/store/sqlite/sql/a.sql')('a note in SQL', `select 1; -- ${'FIXME'}`, `1 ${LATER}`),
  source('any', 'const f = (x: any) => x', '1 the type any'),
  source('any, deep inside', 'type T = Record<string, readonly any[]>', '1 the type any'),
  source('a variable called any', 'const any = 1\nexport { any }'),
  test('skip', `import { it } from 'vitest'\nit.skip('x', () => {})`, '2 a test left out by it.skip'),
  test(
    'only, under another name',
    `import { test as t } from 'vitest'\nt.only('x')`,
    '2 a test left out by test.only',
  ),
  test('todo, in brackets', `it['todo']('x')`, '1 a test left out by it.todo'),
  test(
    'a whole suite, in a chain',
    'describe.concurrent.skip.each([1])',
    '1 a test left out by describe.concurrent.skip.each',
  ),
  test('on a condition', 'it.skipIf(slow)(f)', '1 a test left out by it.skipIf'),
  test('by an option', `it('x', { timeout: 5, skip: true }, f)`, '1 a test left out by skip: true'),
  test('by a quoted option', `describe('x', { 'only': true }, f)`, `1 a test left out by 'only': true`),
  test('words about skipping', `it('skip: only later', () => rows.skip(2))`),
  test('a sleep', 'await new Promise((go) => setTimeout(go, 50))', '1 a test that sleeps by setTimeout'),
  test(
    'a sleep by import',
    `import { setTimeout as rest } from 'node:timers/promises'`,
    '1 a test that sleeps by node:timers/promises.setTimeout',
  ),
  inFile(shortcuts, 'test/patience.ts')(
    'a sleep beside the tests',
    `export const s = globalThis['setTimeout']`,
    '1 a test that sleeps by setTimeout',
  ),
  test('a turn of the loop', 'await new Promise(setImmediate)'),
  test('timers that are faked', `vi.useFakeTimers()\nclock.setTimeout(f, 5)`),
]

const PLACES = places('/srv/checkout')
const page = inFile(PLACES, 'docs/a.md')
const HOME = ['', 'home', 'ada'].join('/')
const HOST = ['registry', 'npmjs', 'org'].join('.')

const plantedPlaces: readonly Planted[] = [
  page('a home', `cd ${HOME}/pawl`, `1 the machine path ${HOME}`),
  page(
    'a home elsewhere',
    `\n"${['', 'Users', 'ada'].join('/')}"`,
    `2 the machine path ${['', 'Users', 'ada'].join('/')}`,
  ),
  page(
    'a home in Windows',
    ['C:', 'Users', 'ada'].join('\\'),
    `1 the machine path ${['C:', 'Users', 'ada'].join('\\')}`,
  ),
  page('the folder it lies in', 'see /srv/checkout/src', '1 the machine path /srv/checkout'),
  page('a registry', `https://${HOST}/zod`, `1 the registry ${HOST}`),
  inFile(PLACES, '.npmrc')(
    'a registry of a house',
    `${'registry'}=https://npm.house/`,
    `1 the registry ${'registry'}=https://npm.house/`,
  ),
  inFile(PLACES, 'package-lock.json')(
    'an address in the lockfile',
    `{\n"resolved": "https://${HOST}/zod.tgz" }`,
    `2 the address https://${HOST}/zod.tgz`,
  ),
  inFile(PLACES, 'package-lock.json')(
    'a workspace in the lockfile',
    '{ "resolved": "console", "link": true }',
  ),
  page(
    'routes and addresses',
    'GET /v1/home/page, https://example.com/home/page, ~/pawl, registry.codes.map(f)',
  ),
]

const words = inFile(sql, 'src/engine/a.ts')
const STATEMENT = 'a statement in a string'

const plantedSql: readonly Planted[] = [
  words('a template', `const q = \`select * from actions where id = \${id}\``, `1 ${STATEMENT}`),
  words('a string', `const q = 'DELETE FROM actions'`, `1 ${STATEMENT}`),
  words('put together', `const q = 'select ' + columns + ' from actions'`, `1 ${STATEMENT}`),
  words('told once', `const q = 'delete from a ' + 'where b'`, `1 ${STATEMENT}`),
  words('joined', `const q = ['insert', 'into actions', values].join(' ')`, `1 ${STATEMENT}`),
  words(
    'after a comment',
    `const q = \`-- name: all\n  update actions set status = \${s}\``,
    `1 ${STATEMENT}`,
  ),
  words('with', 'const q = `\nwith due as (select 1) select * from due`', `1 ${STATEMENT}`),
  words('a table', `db.exec('create unique index if not exists i on t (a)')`, `1 ${STATEMENT}`),
  words('a pragma', `db.exec('PRAGMA journal_mode=WAL')`, `1 ${STATEMENT}`),
  words(
    'prose',
    `say('Select a state from the list', 'update the rule', 'delete it', 'create a table', 'with care', 'begin')`,
  ),
  inFile(sql, 'src/store/sqlite/store.ts')('the store', 'const q = `select 1`'),
]

const manifest = (dependencies: Readonly<Record<string, string>>): string =>
  JSON.stringify({ name: 'pawl', dependencies }, null, 1)
const many = (count: number): Readonly<Record<string, string>> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`d${index}`, '1.0.0']))
const reasons = { 'docs/decisions/0001-a.md': `zod, ${Object.keys(many(99)).join(', ')}` }
const lock = (count: number, more: object): string =>
  JSON.stringify({
    packages: {
      '': {},
      ...Object.fromEntries(Array.from({ length: count }, (_, index) => [`node_modules/d${index}`, {}])),
      ...more,
    },
  })

const needs = (title: string, tree: Planted['tree'], ...expect: readonly string[]): Planted => ({
  law: dependencies,
  title,
  tree: { ...reasons, ...tree },
  expect,
})

const plantedDependencies: readonly Planted[] = [
  ...[
    '^4.6.7',
    '~4.6.7',
    '4',
    'latest',
    '*',
    '>=4.6.7',
    'npm:other@4.6.7',
    'github:a/b',
    '4.6.7 || 5.0.0',
  ].map((version) =>
    needs(
      `at ${version}`,
      { 'package.json': manifest({ zod: version }) },
      `package.json:4 zod at "${version}"`,
    ),
  ),
  needs(
    'in the console',
    { 'console/package.json': '{ "devDependencies": { "vite": "^8.0.0" } }' },
    'console/package.json:1 vite at "^8.0.0"',
  ),
  needs('no reason', { 'package.json': manifest({ left: '1.0.0' }) }, 'package.json:4 left without a reason'),
  needs(
    'the reason of another',
    { 'package.json': manifest({ '@zod/zod': '1.0.0', zo: '1.0.0' }) },
    'package.json:4 @zod/zod without a reason',
    'package.json:5 zo without a reason',
  ),
  needs('thirteen', { 'package.json': manifest(many(13)) }, 'package.json:3 13 direct runtime dependencies'),
  needs(
    'forty-one',
    { 'package-lock.json': lock(41, {}) },
    'package-lock.json:1 41 packages installed for production',
  ),
  needs('twelve, exact, with reasons', {
    'package.json': manifest(many(12)),
    'package-lock.json': lock(40, {
      'node_modules/vitest': { dev: true },
      console: {},
      'node_modules/console': { link: true },
    }),
  }),
]

export const plantedHabits: readonly Planted[] = [
  ...plantedShortcuts,
  ...plantedPlaces,
  ...plantedSql,
  ...plantedDependencies,
]
