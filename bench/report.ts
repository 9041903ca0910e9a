// Owns what is written down of a whole run: bench/RESULTS.md with every figure, and a chart of the ratios for the README.

import { writeFileSync } from 'node:fs'
import { availableParallelism, cpus, totalmem } from 'node:os'
import type { Figure } from './measure.ts'

const number = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 })
const shown = (value: number | undefined): string => (value === undefined ? '' : number.format(value))
const range = (spread: readonly [number, number] | undefined): string =>
  spread === undefined ? '' : `${shown(spread[0])} … ${shown(spread[1])}`

const machine = (): string =>
  `${availableParallelism()} cores (${cpus()[0]?.model ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GiB, ` +
  `Node ${process.version}, ${process.platform} ${process.arch}`

const row = ({ name, value, unit, spread, peer, peerValue, peerSpread, ratio }: Figure): string =>
  `| ${[
    name,
    `${shown(value)} ${unit}`.trim(),
    range(spread),
    peer ?? '',
    shown(peerValue),
    range(peerSpread),
    ratio === undefined ? '' : `${ratio}×`,
  ].join(' | ')} |`

const page = (figures: readonly Figure[], at: Date): string => `# Bench results

Written by \`npm run bench\` on ${at.toISOString().slice(0, 10)}: ${machine()}.

Figures are medians of interleaved rounds, with the lowest and the highest round. A ratio above 1 is in Pawl's favour; for
times, which are better when lower, it is the peer's over ours. Everyone on PostgreSQL uses the same server, with fsync and
synchronous_commit on. "The same rows, no engine" is a program that writes the same rows with the same statements and does
nothing else.

| figure | pawl | spread | against | its figure | spread | ratio |
| --- | --- | --- | --- | --- | --- | --- |
${figures.map(row).join('\n')}
`

const WIDTH = 760
const LINE = 26
const LEFT = 430
const escaped = (text: string): string => text.replace(/[&<>]/g, (char) => `&#${char.charCodeAt(0)};`)

/** Bars from the middle line, where both are equally fast; each step to the right is twice as good. */
const bar = ({ name, peer, ratio }: Figure, index: number): string => {
  const y = 34 + index * LINE
  const reach = Math.max(-3, Math.min(6, Math.log2(ratio!)))
  const unit = (WIDTH - LEFT - 60) / 9
  const zero = LEFT + 3 * unit
  const [x, width] = reach < 0 ? [zero + reach * unit, -reach * unit] : [zero, reach * unit]
  const colour = reach < 0 ? '#b4552d' : '#2d7a5f'
  return [
    `<text x="${LEFT - 10}" y="${y + 12}" text-anchor="end">${escaped(`${name} / ${peer}`)}</text>`,
    `<rect x="${x.toFixed(1)}" y="${y}" width="${Math.max(1, width).toFixed(1)}" height="16" rx="2" fill="${colour}"/>`,
    `<text x="${(Math.max(x + width, zero) + 6).toFixed(1)}" y="${y + 12}">${ratio}×</text>`,
  ].join('')
}

const chart = (figures: readonly Figure[]): string => {
  const compared = figures.filter(
    ({ ratio, name }) => ratio !== undefined && /^(SQLite|PostgreSQL)/.test(name),
  )
  const height = 44 + compared.length * LINE
  const zero = LEFT + (3 * (WIDTH - LEFT - 60)) / 9
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif" font-size="12" fill="#444">
<text x="${zero}" y="20" text-anchor="middle">equally fast</text>
<line x1="${zero}" x2="${zero}" y1="26" y2="${height - 8}" stroke="#999"/>
${compared.map(bar).join('\n')}
</svg>
`
}

export const writeReport = (figures: readonly Figure[], at: Date): void => {
  writeFileSync(new URL('RESULTS.md', import.meta.url), page(figures, at))
  writeFileSync(new URL('results.svg', import.meta.url), chart(figures))
}
