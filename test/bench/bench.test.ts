// The bench does not rot: every part of it runs, a few actions each, without peers, and what it finds makes a page and a chart.
// That the ceilings write the rows that the engine writes is asserted by the parts themselves.

import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { TINY } from '../../bench/extent.ts'
import type { Figure } from '../../bench/figure.ts'
import { leftOut } from '../../bench/progress.ts'
import { chartOf } from '../../bench/report/chart.ts'
import { pageOf } from '../../bench/report/report.ts'
import { tableOf } from '../../bench/report/table.ts'
import { openScene } from '../../bench/scene.ts'
import { chosen } from '../../bench/suites.ts'

const scene = openScene(TINY, { hasPeers: false })
beforeAll(() => void vi.spyOn(process.stderr, 'write').mockReturnValue(true))
afterAll(() => scene.close())

it('runs every suite on SQLite', async () => {
  const figures: Figure[] = []
  for (const [name, suite] of chosen(['sqlite']))
    if (name !== 'sqlite/processes') figures.push(...(await suite(scene)))
  expect(leftOut()).toEqual([])
  const names = figures.map(({ name }) => name).join('\n')
  for (const part of [
    'idle latency p99',
    'lateness p99',
    'fsyncs per action',
    'three-step',
    'timers',
    'ended',
  ])
    expect(names).toContain(part)
  expect(figures.every(({ value }) => Number.isFinite(value) && value >= 0)).toBe(true)
  expect(tableOf(figures)).toContain('the same rows, no engine')
})

it('writes a page and a chart in which nothing is lost', () => {
  const figure: Figure = {
    name: 'SQLite: process',
    value: 1200,
    unit: '1/s',
    better: 'higher',
    spread: [1000, 1400],
    durable: 'fsync',
    peer: 'plainjob 0.0.14',
    peerValue: 800,
    peerSpread: [700, 900],
    peerDurable: 'no <fsync>',
    ratio: 1.5,
  }
  const page = pageOf({
    figures: [figure],
    leftOut: ['bullmq is left out: no server'],
    at: new Date(0),
    minutes: 2,
  })
  expect(page).toContain(
    '| process | 1,200 1/s | 1,000 … 1,400 | fsync | plainjob 0.0.14 | 800 | 700 … 900 | no <fsync> | 1.5× | ≥ 2 ✗ |',
  )
  expect(page).toContain('- bullmq is left out: no server')
  const chart = chartOf([figure, { ...figure, peer: 'the same rows, no engine' }])
  expect(chart.match(/<rect/g)).toHaveLength(1)
  expect(chart).toContain('1.5×')
  expect(pageOf({ figures: [], leftOut: [], at: new Date(0), minutes: 0 })).toContain('No run')
})
