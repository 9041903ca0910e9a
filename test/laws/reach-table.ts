// Owns the table of what reaches outside the program (clock, chance, environment, network, other code) and the places
// where each may be touched. reach.ts enforces it. Spelling: `Date.now` and all below it; `f()` called without
// arguments, `f(x)` with one, `f(…)` with more; `.m` a member of any value; `node:x` a module.

export interface Reach {
  readonly topic: string
  readonly paths: readonly string[]
  /** Files, or folders with a closing slash. */
  readonly allowed: readonly string[]
  readonly instead: string
}

const of = (module: string, ...members: readonly string[]): readonly string[] =>
  members.map((member) => `${module}.${member}`)

/** Everything in the package that runs rather than thinks. */
const SHELL = [
  'src/engine/',
  'src/egress/',
  'src/server/',
  'src/sources/',
  'src/cli/',
  'src/testing/',
  'console/',
]

export const REACH: readonly Reach[] = [
  {
    topic: 'the clock',
    paths: [
      ...of('Date', 'now'),
      'Date()',
      'new Date()',
      'performance',
      'node:perf_hooks',
      ...of('process', 'hrtime', 'uptime'),
      ...['Temporal', 'temporal-polyfill.Temporal'].map((root) => `${root}.Now`),
      // Croner reads the clock when no reference is given.
      ...['.nextRun()', '.msToNext()', '.previousRun()'],
      // So does a formatter of Intl.
      ...['.format()', '.formatToParts()'],
    ],
    allowed: ['src/engine/clock.ts', 'console/'],
    instead: 'Take now as an argument; only src/engine/clock.ts reads it',
  },
  {
    topic: "the host's zone or language",
    paths: [
      'new Date(…)',
      ...of(
        '',
        'getTimezoneOffset',
        'getFullYear',
        'getMonth',
        'getDate',
        'getDay',
        'getHours',
        'getMinutes',
      ),
      ...of('', 'getSeconds', 'setFullYear', 'setMonth', 'setDate', 'setHours', 'setMinutes', 'setSeconds'),
      ...of(
        '',
        'toDateString',
        'toTimeString',
        'toLocaleString()',
        'toLocaleDateString()',
        'toLocaleTimeString()',
      ),
      ...of('', 'toLocaleUpperCase()', 'toLocaleLowerCase()'),
      ...['DateTimeFormat', 'NumberFormat', 'PluralRules', 'Collator', 'ListFormat'].flatMap((name) => [
        `Intl.${name}()`,
        `new Intl.${name}()`,
      ]),
      // Without options the zone is the host's.
      ...['Intl.DateTimeFormat(x)', 'new Intl.DateTimeFormat(x)'],
    ],
    allowed: ['src/cli/', 'console/'],
    instead: 'Name the zone and the language: src/core/time does calendar arithmetic in a named zone',
  },
  {
    topic: 'timers',
    paths: [
      ...['setTimeout', 'setInterval', 'setImmediate', 'scheduler', 'requestAnimationFrame'],
      ...['AbortSignal.timeout', 'Atomics.wait', 'Atomics.waitAsync', 'node:timers', 'node:timers/promises'],
    ],
    allowed: [...SHELL, 'src/client/watch.ts'],
    instead: 'A wait is a due time that the engine keeps; a runner is given a signal',
  },
  {
    topic: 'chance',
    paths: [
      'Math.random',
      ...['crypto', 'node:crypto.webcrypto'].flatMap((root) =>
        of(root, 'randomUUID', 'getRandomValues', 'subtle.generateKey'),
      ),
      ...of(
        'node:crypto',
        'randomUUID',
        'randomBytes',
        'randomInt',
        'randomFill',
        'randomFillSync',
        'getRandomValues',
      ),
      ...of('node:crypto', 'generateKey', 'generateKeySync', 'generateKeyPair', 'generateKeyPairSync'),
      ...of('node:crypto', 'pseudoRandomBytes', 'prng', 'rng'),
    ],
    // A key of the client's own, drawn where there is no engine.
    allowed: ['src/engine/random.ts', 'src/secrets/random.ts', 'src/client/key.ts'],
    instead: 'Derive it from the cause (a key, an attempt), or take it as an argument',
  },
  {
    topic: 'the environment',
    paths: ['process.env', 'process.loadEnvFile', 'import.meta.env', 'node:os'],
    allowed: ['src/config/'],
    instead: 'Only src/config reads it; take the value as an argument',
  },
  {
    topic: 'the process',
    paths: [
      ...of(
        'process',
        'exit',
        'exitCode',
        'abort',
        'kill',
        'chdir',
        'argv',
        'execArgv',
        'on',
        'once',
        'stdin',
      ),
      ...of('process', 'umask', 'setuid', 'setgid', 'execve'),
    ],
    // signals.ts: only when the program asks its worker to drain by itself. thread.ts: is it kept in a snapshot?
    allowed: ['src/cli/', 'src/engine/signals.ts', 'src/store/sqlite/thread.ts', 'examples/'],
    instead: 'A library does not own its process: return, or throw a PawlError',
  },
  {
    topic: 'listening',
    paths: of('node:http', 'createServer'),
    allowed: ['src/server/', 'examples/'],
    instead: 'Only src/server listens',
  },
  {
    topic: 'the network',
    paths: [
      ...['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest', 'navigator.sendBeacon', 'undici', 'ws'],
      ...[
        'node:http',
        'node:https',
        'node:http2',
        'node:net',
        'node:tls',
        'node:dgram',
        'node:dns',
        'node:dns/promises',
      ],
    ],
    // The client speaks to a Pawl server at an address its own user gave; no tenant's address passes through it.
    allowed: ['src/egress/', 'src/client/', 'examples/'],
    instead: 'Go through src/egress, the one guarded door: a runner is given ctx.fetch',
  },
  {
    topic: 'other processes',
    paths: ['node:child_process', 'node:cluster', 'node:worker_threads'],
    // Two threads beside the event loop: one copies a WAL into its file (backfill.ts), one writes what can be foreseen (scribe.ts).
    allowed: [
      'src/cli/',
      'src/store/sqlite/thread.ts',
      'src/store/sqlite/backfill-thread.ts',
      'src/store/sqlite/scribe-thread.ts',
    ],
    instead: 'Only src/cli starts processes',
  },
  {
    topic: 'code from text',
    paths: [
      ...[
        'eval',
        'Function',
        'WebAssembly',
        'ShadowRealm',
        'require',
        'import(…)',
        '.constructor',
        '.__proto__',
      ],
      ...[
        'node:vm',
        'node:v8',
        'node:repl',
        'node:inspector',
        'node:inspector/promises',
        'node:module',
        'node:wasi',
      ],
      ...of('process', 'getBuiltinModule', 'binding', 'dlopen', 'mainModule'),
    ],
    // Files of the user's own that their command names: settings, definitions, runners.
    allowed: ['src/cli/load-module.ts'],
    instead: 'Interpret data instead; the process runs with code generation switched off',
  },
]

/** A module that this table places, so that the import table need not. */
export const isReach = (module: string): boolean => REACH.some((reach) => reach.paths.includes(module))
