import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSequencer, type TestSpecification, type Vitest } from 'vitest/node'

/** The test files that take ten seconds or more. */
const LONG = [
  'test/stores/conformance.test.ts',
  'test/cli/served.test.ts',
  'test/crash/attacks.test.ts',
  'test/engine/faults.test.ts',
  'test/processes/lost-workers.test.ts',
  'test/simulation/simulation.test.ts',
  'test/limits/processes.test.ts',
  'test/server/access.test.ts',
  'test/triage/kills.test.ts',
  'src/store/postgres/plans.test.ts',
  'test/cli/stores.test.ts',
  'test/cli/processes.test.ts',
  'test/processes/rolling-deploy.test.ts',
  'test/server/fuzz.test.ts',
  'src/store/sqlite/processes.test.ts',
  'src/store/sqlite/backfill-processes.test.ts',
  'test/processes/poison.test.ts',
  'test/engine/inbox.test.ts',
  'test/processes/effect-once.test.ts',
  'test/mutants/mutants.test.ts',
  'test/laws.test.ts',
  'test/load/fairness.test.ts',
  'test/processes/sharing.test.ts',
  'test/cli/alone.test.ts',
  'test/stores/postgres-crash.test.ts',
  'test/server/hostile.test.ts',
  'test/server/stream.test.ts',
  'test/engine/watch.test.ts',
  'test/agenda/agenda.test.ts',
  'test/engine/send.test.ts',
]
for (const file of LONG)
  if (!existsSync(new URL(file, import.meta.url)))
    throw new Error(`vitest.config.ts names ${file}, which is no more: take it out`)

const isLong = ({ moduleId }: TestSpecification): boolean =>
  LONG.some((file) => moduleId.endsWith(`/${file}`))

/** Long files first: one that is begun last runs alone, and a clone that never ran them cannot know which they are. */
class LongFirst implements TestSequencer {
  readonly shard: TestSequencer['shard']
  readonly sort: TestSequencer['sort']

  constructor(vitest: Vitest) {
    const usual = new BaseSequencer(vitest)
    this.shard = (files) => usual.shard(files)
    this.sort = async (files) =>
      (await usual.sort(files)).sort((a, b) => Number(isLong(b)) - Number(isLong(a)))
  }
}

export default defineConfig({
  test: {
    // Machines are noisy: a limit only against endless loops, never a measure of speed.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // One second unless said: a busy machine has been seen to take longer over a socket that closes.
    expect: { poll: { timeout: 60_000 } },
    // One PostgreSQL for the run, started when the first test asks for it.
    globalSetup: ['test/stores/postgres-server.ts'],
    setupFiles: ['test/seed.ts'],
    // What a test starts of the sources, hundreds of processes, finds them compiled.
    env: { NODE_COMPILE_CACHE: fileURLToPath(new URL('.cache/compile', import.meta.url)) },
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    sequence: { sequencer: LongFirst },
    // Many tests wait for a database, another process or a lease: meanwhile a core has another file to work at.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    // No test changes what another one imports: loading everything anew for each file was two fifths of the time.
    isolate: false,
    // Imported as Node does it. A proxy before each CommonJS package made the laws, which ask TypeScript for something a
    // million times, take twice as long.
    deps: { interopDefault: false },
    coverage: {
      provider: 'v8',
      include: ['src/core/**/*.ts'],
      exclude: ['**/*.test.ts'],
      reporter: [['text', { skipFull: true }]],
      thresholds: { lines: 100, branches: 100, functions: 100, statements: 100 },
    },
  },
})
