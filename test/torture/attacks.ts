// Owns the list of attacks: what each is called, and how it is made, quick or at release size. The slowest come first, so
// that the last to end are short ones; those that wait a lot run beside the busiest. Each is loaded by the process that
// makes it: one that falls over is alone with it.

export interface Attack {
  readonly name: string
  /** How it ended, and whether that is what must hold. */
  readonly run: (isQuick: boolean) => Promise<{ readonly isHeld: boolean; readonly summary: object }>
}

const SCALE = { rows: 1_000_000, flips: 1000, fullDisks: 100 }
/** No plans: `npm test` asks for those of 100,000 rows, and over fewer to read all of them is right. */
const QUICK_SCALE = { rows: 0, flips: 25, fullDisks: 2 }

/** Dead letters replayed by processes that are killed in the middle of it. */
const bulk: Attack['run'] = async (isQuick) => {
  const [{ bulkReplay }, { releaseServer }] = await Promise.all([
    import('../triage/attack.ts'),
    import('../stores/postgres-server.ts'),
  ])
  try {
    const stores = await bulkReplay(isQuick)
    const isHeld = stores.every(({ lost, doubled, stuck }) => lost + doubled + stuck === 0)
    return { isHeld, summary: { stores } }
  } finally {
    await releaseServer()
  }
}

export const ATTACKS: readonly Attack[] = [
  { name: 'kills', run: async (isQuick) => (await import('../crash/kills.ts')).kills(isQuick) },
  {
    name: 'simulation',
    run: async (isQuick) => (await import('../simulation/wide.ts')).simulateWide(isQuick ? 3000 : 100_000, 2),
  },
  { name: 'zombies', run: async (isQuick) => (await import('../crash/zombies.ts')).zombies(isQuick) },
  {
    name: 'database',
    run: async (isQuick) => (await import('../crash/database-faults.ts')).databaseFaults(isQuick),
  },
  { name: 'points', run: async (isQuick) => (await import('../crash/crash-points.ts')).crashPoints(isQuick) },
  {
    name: 'sql-mutants',
    run: async (isQuick) => (await import('../sql-mutants/run.ts')).sqlMutants({ isQuick }),
  },
  {
    name: 'mutants',
    run: async (isQuick) => {
      const summary = await (await import('../mutants/run.ts')).tryMutants({ isQuick })
      return { isHeld: summary.survived === 0, summary }
    },
  },
  { name: 'drains', run: async (isQuick) => (await import('../crash/drains.ts')).drains(isQuick) },
  {
    name: 'recurrences',
    run: async (isQuick) => (await import('../recurrences/attack.ts')).recurrences(isQuick),
  },
  { name: 'bulk', run: bulk },
  { name: 'load', run: async (isQuick) => (await import('../load/attack.ts')).underLoad(isQuick) },
  {
    name: 'scale',
    run: async (isQuick) => (await import('./scale.ts')).scaleStores(isQuick ? QUICK_SCALE : SCALE),
  },
  {
    name: 'stores',
    run: async (isQuick) => (await import('../stores/explore.ts')).exploreStores(isQuick ? 20 : 250),
  },
  {
    name: 'model',
    run: async (isQuick) => {
      const summary = await (await import('../model/run.ts')).modelCheck(isQuick ? 'commit' : 'release')
      return { isHeld: summary.isHeld, summary }
    },
  },
  {
    name: 'race',
    run: async (isQuick) => (await import('../stores/race-stores.ts')).raceStores(isQuick ? 1000 : 20_000),
  },
]
