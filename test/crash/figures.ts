// Owns the figures of an attack: verdicts added up, and whether they are what must hold.

import type { Verdict } from './judge.ts'

export interface Figures {
  readonly lost: number
  readonly doubled: number
  readonly stuck: number
  readonly stale: number
  readonly duplicatesSameKey: number
  readonly effects: number
  readonly reviews: number
  readonly poisoned: number
  readonly reaps: number
  readonly moved: number
  readonly late: number
  /** What was wrong, in words; the first of it. */
  readonly findings: readonly string[]
}

const KEPT = 20

export const figuresOf = (verdicts: readonly Verdict[]): Figures => {
  const sum = (of: (verdict: Verdict) => number): number =>
    verdicts.reduce((total, each) => total + of(each), 0)
  const findings = verdicts.flatMap(({ lost, doubled, stuck, stale }) => [
    ...lost.map((what) => `lost: ${what}`),
    ...doubled.map((what) => `doubled: ${what}`),
    ...stuck.map((what) => `stuck: ${what}`),
    ...stale.map((what) => `stale: ${what}`),
  ])
  return {
    lost: sum(({ lost }) => lost.length),
    doubled: sum(({ doubled }) => doubled.length),
    stuck: sum(({ stuck }) => stuck.length),
    stale: sum(({ stale }) => stale.length),
    duplicatesSameKey: sum(({ duplicatesSameKey }) => duplicatesSameKey),
    effects: sum(({ effects }) => effects),
    reviews: sum(({ reviews }) => reviews),
    poisoned: sum(({ poisoned }) => poisoned),
    reaps: sum(({ reaps }) => reaps),
    moved: sum(({ moved }) => moved),
    late: sum(({ late }) => late),
    findings: findings.slice(0, KEPT),
  }
}

/** Nothing was found. Duplicates with the same key, reviews and what was given up after too many losses may be. */
export const isClean = ({ findings }: Figures): boolean => findings.length === 0
