// Figures as a table for a terminal.

import type { Figure } from '../figure.ts'

export const number = (value: number | undefined): string =>
  value === undefined ? '' : new Intl.NumberFormat('en-US', { maximumFractionDigits: 3 }).format(value)

export const range = (spread: readonly [number, number] | undefined): string =>
  spread === undefined ? '' : `${number(spread[0])} … ${number(spread[1])}`

const rows = (figures: readonly Figure[]): readonly (readonly string[])[] => [
  ['figure', 'pawl', 'spread', 'against', 'its figure', 'spread', 'ratio'],
  ...figures.map(({ name, value, unit, spread, peer, peerValue, peerSpread, ratio }) => [
    unit === '' ? name : `${name} (${unit})`,
    number(value),
    range(spread),
    peer ?? '',
    number(peerValue),
    range(peerSpread),
    ratio === undefined ? '' : `${ratio}×`,
  ]),
]

export const tableOf = (figures: readonly Figure[]): string => {
  const lines = rows(figures)
  const widths = lines[0]!.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)))
  const padded = lines.map((line) => line.map((cell, column) => cell.padEnd(widths[column]!)).join('  '))
  return padded.map((line) => line.trimEnd()).join('\n')
}
