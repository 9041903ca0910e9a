import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // Machines are noisy: a limit only against endless loops, never a measure of speed.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // One PostgreSQL for the run, started when the first test asks for it.
    globalSetup: ['test/stores/postgres-server.ts'],
    setupFiles: ['test/seed.ts'],
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // Many tests wait for a database or another process: a core less would be idle half of the time.
    maxWorkers: '100%',
    // No test changes what another one imports: loading everything anew for each file was two fifths of the time.
    isolate: false,
    coverage: {
      provider: 'v8',
      include: ['src/core/**/*.ts'],
      exclude: ['**/*.test.ts'],
      reporter: [['text', { skipFull: true }]],
      thresholds: { lines: 100, branches: 100, functions: 100, statements: 100 },
    },
  },
})
