// One seed for every property of a run, so that a red gate is red again. PAWL_SEED names another, `random` draws one.

import fc from 'fast-check'

const seed = process.env['PAWL_SEED'] ?? '20261116'
if (seed !== 'random') fc.configureGlobal({ seed: Number(seed) })
