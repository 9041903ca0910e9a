// Owns the chart of the comparison: one bar per figure and peer, from the line where both are equal; each step to the right is
// twice as good. It brings its own colours for light and dark.

import type { Figure } from '../figure.ts'

const WIDTH = 820
const LINE = 22
const LEFT = 380
const TOP = 46
/** Steps of two to either side; what reaches further is cut, and its number says so. */
const [WORSE, BETTER] = [3, 6]
const STEP = (WIDTH - LEFT - 70) / (WORSE + BETTER)
const ZERO = LEFT + WORSE * STEP

const STYLE = `
  text { font: 12px system-ui, sans-serif; fill: #24292f }
  .head { font-weight: 600 } .soft { fill: #57606a } .line { stroke: #d0d7de }
  .equal { stroke: #57606a } .good { fill: #1a7f5a } .bad { fill: #bc4c2a }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .soft { fill: #9198a1 } .line { stroke: #30363d }
    .equal { stroke: #9198a1 } .good { fill: #3fb98a } .bad { fill: #e0764f }
  }`

const SHOWN = /: (enqueue|process$|idle latency p50|lateness p99|three-step)/
/** A library of others has a version; our own ceilings are in the page. */
const isPeer = (peer: string | undefined): boolean => peer !== undefined && /\d+\.\d+\.\d+$/.test(peer)

const escaped = (text: string): string => text.replace(/[&<>]/g, (char) => `&#${char.charCodeAt(0)};`)
const at = (value: number): string => value.toFixed(1)

const bar = ({ name, peer, ratio }: Figure, y: number): string => {
  const reach = Math.max(-WORSE, Math.min(BETTER, Math.log2(ratio!)))
  const [x, width] = reach < 0 ? [ZERO + reach * STEP, -reach * STEP] : [ZERO, reach * STEP]
  const what = name.split(': ').at(-1)!
  return [
    `<text x="${LEFT - 10}" y="${y + 12}" text-anchor="end">${escaped(what)} <tspan class="soft">against ${escaped(peer!)}</tspan></text>`,
    `<rect x="${at(x)}" y="${y}" width="${at(Math.max(1, width))}" height="15" rx="2" class="${reach < 0 ? 'bad' : 'good'}"/>`,
    `<text x="${at(Math.max(x + width, ZERO) + 6)}" y="${y + 12}">${ratio}×</text>`,
  ].join('')
}

const grid = (height: number): string =>
  Array.from({ length: WORSE + BETTER + 1 }, (_, index) => {
    const x = at(LEFT + index * STEP)
    const factor = 2 ** (index - WORSE)
    return [
      `<line x1="${x}" x2="${x}" y1="${TOP - 8}" y2="${height - 6}" class="${factor === 1 ? 'equal' : 'line'}"/>`,
      `<text x="${x}" y="${TOP - 14}" text-anchor="middle" class="soft">${factor === 1 ? 'equal' : `${factor}×`}</text>`,
    ].join('')
  }).join('')

export const chartOf = (figures: readonly Figure[]): string => {
  const shown = figures.filter(({ name, peer }) => SHOWN.test(name) && isPeer(peer))
  const groups = Object.entries(Object.groupBy(shown, ({ name }) => name.split(/[:,]/)[0]!))
  let y = TOP
  const lines = groups.flatMap(([store, members = []]) => {
    const head = `<text x="12" y="${y + 12}" class="head">Pawl on ${escaped(store)}</text>`
    y += LINE
    const bars = members.map((figure) => {
      const text = bar(figure, y)
      y += LINE
      return text
    })
    y += LINE / 2
    return [head, ...bars]
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y}" role="img" aria-label="Pawl beside its peers: ratios, above 1 in its favour">
<style>${STYLE}
</style>
${grid(y)}
${lines.join('\n')}
</svg>
`
}
