// Planted trees for the law of reach: each forbidden thing plainly, then as someone would who means to hide it.

import { reach } from '../reach.ts'
import { inFile, type Planted } from './planted.ts'

const core = inFile(reach, 'src/core/a.ts')
const email = inFile(reach, 'src/runners/email/send.ts')

const clock: readonly Planted[] = [
  core('the plain read', 'export const t = Date.now()', '1 Date.now() touches the clock'),
  core('a default argument', 'const f = (now = Date.now()) => now', '1 Date.now() touches the clock'),
  core('handed on uncalled', 'const f = { now: Date.now }', '1 Date.now touches the clock'),
  core('new Date', 'const t = new Date()', '1 new Date() touches the clock'),
  core('new Date without brackets', 'const t = new Date', '1 new Date() touches the clock'),
  core('a spread that may be empty', 'const t = new Date(...args)', '1 new Date() touches the clock'),
  core('Date as a function', 'const t = Date(0)', '1 Date(…) touches the clock'),
  core('destructured', 'const { now } = Date', '1 Date is passed on whole'),
  core('an alias', 'const D = Date\nD.now()', '1 Date is passed on whole'),
  core('by reflection', `Reflect.get(Date, 'now')()`, '1 Date is passed on whole'),
  core('a subclass', 'class Late extends Date {}', '1 Date is passed on whole'),
  core('in brackets', `Date['now']()`, '1 Date.now() touches the clock'),
  core('behind marks of type', '(Date! satisfies object).now()', '1 Date.now() touches the clock'),
  core('in pieces', `(Date as never)['n' + 'ow']()`, '1 Date.now() touches the clock'),
  core('a member chosen late', 'Date[name]()', '1 Date[…] is passed on whole'),
  core('by the global object', `globalThis['Date'].now()`, '1 Date.now() touches the clock'),
  core('twice round', 'globalThis.globalThis.Date?.now?.()', '1 Date.now() touches the clock'),
  core('the global object handed on', 'const g = globalThis', '1 globalThis is passed on whole'),
  core('chosen late', 'globalThis[name]', '1 globalThis[…] is passed on whole'),
  core('behind a comma', '(0, Date.now)()', '1 Date.now() touches the clock'),
  core(
    'behind a declaration',
    'declare const Date: { now(): number }\nDate.now()',
    '2 Date.now() touches the clock',
  ),
  inFile(reach, 'examples/01-a.ts')('an example', 'Date.now()', '1 Date.now() touches the clock'),
  core('performance', 'performance.now()', '1 performance.now() touches the clock'),
  core('hrtime', 'process.hrtime.bigint()', '1 process.hrtime.bigint() touches the clock'),
  core('Temporal', 'Temporal.Now.instant()', '1 Temporal.Now.instant() touches the clock'),
  core(
    'Temporal under another name',
    `import { Temporal as T } from 'temporal-polyfill'\nT.Now.instant()`,
    '2 temporal-polyfill.Temporal.Now.instant() touches the clock',
  ),
  core(
    'Temporal as a namespace',
    `import * as t from 'temporal-polyfill'\nconst { Temporal } = t`,
    '2 temporal-polyfill is passed on whole',
  ),
  core('croner without a reference', 'job.nextRun()', '1 .nextRun() touches the clock'),
  core('a formatter without an instant', 'format.format()', '1 .format() touches the clock'),
  core('croner with none', 'job.nextRun(undefined)', '1 .nextRun() touches the clock'),
  core("the host's zone", 'at.getHours()', "1 .getHours() touches the host's zone or language"),
  core("the host's zone again", 'new Date(2026, 1, 2)', "1 new Date(…) touches the host's zone or language"),
  core(
    "the host's language",
    'n.toLocaleString()',
    "1 .toLocaleString() touches the host's zone or language",
  ),
  core(
    "the host's language by default",
    'new Intl.NumberFormat(undefined, {})',
    "1 new Intl.NumberFormat() touches the host's zone or language",
  ),
]

const chance: readonly Planted[] = [
  core('Math.random', 'Math.random()', '1 Math.random() touches chance'),
  core('a function of Math chosen late', 'const f = Math[name]', '1 Math[…] is passed on whole'),
  core('destructured', 'const { random: r } = Math', '1 Math is passed on whole'),
  core('a uuid', 'crypto.randomUUID()', '1 crypto.randomUUID() touches chance'),
  inFile(reach, 'src/engine/a.ts')(
    'named by an import',
    `import { randomBytes as r } from 'node:crypto'\nr(16)`,
    '1 node:crypto.randomBytes touches chance',
  ),
  inFile(reach, 'src/engine/a.ts')(
    'without the prefix, whole',
    `import c from 'crypto'\nc.randomInt(3)`,
    '2 node:crypto.randomInt(…) touches chance',
  ),
  inFile(reach, 'src/engine/a.ts')(
    'handed on',
    `export * from 'node:crypto'`,
    '1 node:crypto is passed on whole',
  ),
  inFile(reach, 'src/engine/a.ts')(
    'later',
    `const c = (await import('node:crypto')).randomUUID()`,
    '1 node:crypto.randomUUID() touches chance',
  ),
]

const outside: readonly Planted[] = [
  core('a timer', 'setTimeout(work, 5)', '1 setTimeout(…) touches timers'),
  email('a timeout of its own', 'AbortSignal.timeout(5)', '1 AbortSignal.timeout(…) touches timers'),
  email('a timer in a pack', 'const deps = { setTimeout }', '1 setTimeout touches timers'),
  email('the environment', 'process.env.KEY', '1 process.env.KEY touches the environment'),
  email('a variable chosen late', 'process.env[name]', '1 process.env[…] touches the environment'),
  email('destructured', 'const { env } = process', '1 process is passed on whole'),
  email('by import', `import { env } from 'node:process'\nenv.KEY`, '1 process.env touches the environment'),
  email(
    'by import, whole',
    `import p from 'process'\np.env.KEY`,
    '2 process.env.KEY touches the environment',
  ),
  email("the bundler's", 'import.meta.env.KEY', '1 import.meta.env.KEY touches the environment'),
  email('exit', 'process.exit(1)', '1 process.exit(…) touches the process'),
  email('fetch', `await fetch('https://example.com')`, '1 fetch(…) touches the network'),
  email('fetch in brackets', `globalThis['fet' + 'ch']('x')`, '1 fetch(…) touches the network'),
  email('sockets', `import { connect } from 'node:net'`, '1 node:net.connect touches the network'),
  email('sockets later', `await import('net')`, '1 node:net touches the network'),
  inFile(reach, 'src/server/a.ts')(
    'a server does not call out',
    `import { createServer, request } from 'node:http'`,
    '1 node:http.request touches the network',
  ),
  inFile(reach, 'src/egress/a.ts')(
    'the door does not listen',
    `import { createServer } from 'node:http'`,
    '1 node:http.createServer touches listening',
  ),
]

const code: readonly Planted[] = [
  core('eval', `eval('1')`, '1 eval(…) touches code from text'),
  core('indirectly', `(0, eval)('1')`, '1 eval(…) touches code from text'),
  core('Function', `new Function('return 1')`, '1 new Function(…) touches code from text'),
  core('Function without new', `Function('return 1')()`, '1 Function(…) touches code from text'),
  core(
    'by a constructor',
    `(() => 1)['constructor']('return 1')`,
    '1 .constructor(…) touches code from text',
  ),
  email('vm', `import vm from 'node:vm'`, '1 node:vm touches code from text'),
  email('a module chosen late', 'await import(name)', '1 import(…) touches code from text'),
  email('require', `require('x')`, '1 require(…) touches code from text'),
  email(
    'a built-in by name',
    `process.getBuiltinModule('node:net')`,
    '1 process.getBuiltinModule(…) touches code from text',
  ),
  email(
    'a child',
    `import { spawn } from 'node:child_process'`,
    '1 node:child_process.spawn touches other processes',
  ),
]

const sound: readonly Planted[] = [
  core('a given instant', 'new Date(at).toISOString()\nDate.parse(text)\nDate.UTC(2026, 0)'),
  core('a test of kind', 'x instanceof Date || typeof fetch || typeof globalThis'),
  core('a type', 'const f = (at: Date, m: Math): typeof Date.now => at\ninterface A extends Date {}'),
  core('a name of its own', 'const f = (fetch: Door, Date: Calendar) => fetch(Date.now())'),
  core('declared in the file', 'const performance = 1\nfunction setTimeout() {}\nsetTimeout(performance)'),
  core('a member of something else', 'ctx.fetch(url)\nclock.now()\nconst { now, env } = ctx'),
  core('a key', 'const a = { Date: 1, eval: 2, fetch() {} }'),
  core('a text', `export const help = 'Date.now() and process.env'`),
  core(
    'zones and languages that are named',
    `new Intl.DateTimeFormat('en-US', { timeZone })\nn.toLocaleString('en')`,
  ),
  core(
    'a type-only import',
    `import type { Socket } from 'node:net'\nimport { type Server } from 'node:http'`,
  ),
  email('a hash', `import { createHash } from 'node:crypto'\ncreateHash('sha256')`),
  inFile(reach, 'src/engine/clock.ts')(
    'the clock itself',
    'export const now = () => Date.now()\nconst D = Date',
  ),
  inFile(reach, 'src/engine/loop.ts')('a timer of the engine', 'setTimeout(work, 5)'),
  inFile(reach, 'src/config/env.ts')(
    'the reader of the environment',
    'export const read = () => process.env',
  ),
  inFile(reach, 'src/egress/fetch.ts')('the door', `import { connect } from 'node:tls'\nfetch('x')`),
  inFile(reach, 'src/server/listen.ts')('the listener', `import { createServer } from 'node:http'`),
  inFile(reach, 'src/cli/serve.ts')(
    'the command line',
    `import { spawn } from 'node:child_process'\nprocess.exit(2)`,
  ),
  inFile(reach, 'examples/01-a.ts')(
    'an example with a receiver',
    `import { createServer } from 'node:http'\nfetch(at)`,
  ),
  inFile(reach, 'src/core/a.test.ts')('a test', 'Date.now()'),
  inFile(reach, 'bench/run.ts')('a benchmark', 'performance.now()'),
]

export const plantedReach: readonly Planted[] = [...clock, ...chance, ...outside, ...code, ...sound]
