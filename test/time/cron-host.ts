// Run by cron-hosts.test.ts under another TZ: prints where the host thinks it is, and what the sample came to.

import { ours } from './cron-compare.ts'
import { sample } from './cron-sample.ts'

let digest = 0
const { comparisons, differences } = sample({ seed: 41, zones: 12, patterns: 15 }, (pattern, zone, dst) => {
  const engine = ours(pattern, zone, dst)
  return {
    ...engine,
    *between(from, to) {
      for (const at of engine.between(from, to)) {
        digest = (Math.imul(digest, 31) + at / 1000) | 0
        yield at
      }
    },
  }
})
const hostOffset = new Date(Date.UTC(2026, 6, 1)).getTimezoneOffset()
console.log(JSON.stringify({ hostOffset, digest, comparisons, differences: differences.length }))
