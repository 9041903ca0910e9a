// A program that holds many queued actions and then performs them; it says what that took of its memory. Its arguments are the
// store's URL and how many. It runs with `--expose-gc`.

import { openPawl } from '../open-pawl.ts'
import { createNoop, SLOTS } from '../queue/pawl.ts'

const [store, given] = process.argv.slice(2)
const count = Number(given)
const { noop, onStart } = createNoop()
const pawl = await openPawl({ store: store!, runners: [noop] })
const used = (): number => {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}
const dispatchAll = async (from: number, to: number): Promise<void> => {
  for (let n = from; n < to; n += SLOTS)
    await Promise.all(
      Array.from({ length: Math.min(SLOTS, to - n) }, (_, index) => pawl.dispatch(noop({ n: n + index }))),
    )
}
// What the code itself takes is there after the first few.
const first = Math.ceil(count / 20)
await dispatchAll(0, first)
const before = used()
await dispatchAll(first, count)
const held = (used() - before) / (count - first)
const all = new Promise<void>((resolve) => {
  let seen = 0
  onStart(() => {
    seen += 1
    if (seen === count) resolve()
  })
})
await pawl.work({ slots: SLOTS })
await all
await pawl.close()
const peak = process.resourceUsage().maxRSS * 1024
console.log(JSON.stringify({ 'heap per queued action': Math.max(0, held), 'peak RSS under load': peak }))
