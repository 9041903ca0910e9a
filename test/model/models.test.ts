// The protocol, in every state that its models reach, and every weaker one. `node test/model/run.ts` tells the stories.

import { expect, it } from 'vitest'
import { INVARIANTS } from './invariants.ts'
import { modelCheck } from './run.ts'

const summary = await modelCheck()
const { scenarios, variants } = summary

it.each(scenarios)('G1: $model, $name: holds in all of $states states, none stuck', (scenario) => {
  expect(scenario.story).toBeUndefined()
  expect(scenario.stuck).toBe(0)
  expect(scenario.states).toBeGreaterThan(50)
})

it.each(variants)('G1: $name breaks $breaks in $steps', ({ breaks, invariant, steps }) => {
  expect(invariant).toBe(breaks)
  expect(steps).toBeGreaterThan(0)
})

it('G1: the summary adds up', () => {
  const { states, violations, stuck } = summary
  console.log(
    `model check: ${states} states, ${violations} violations, ${stuck} stuck, ${variants.length} broken`,
  )
  expect(summary).toMatchObject({ isHeld: true, violations: 0, stuck: 0 })
  expect(states).toBe(scenarios.reduce((sum, scenario) => sum + scenario.states, 0))
  expect(states).toBeGreaterThan(100_000)
})

/** What peers and earlier drafts got wrong, by name: none may drop out of the list. */
const NAMED = [
  'token without nonce',
  'lease without fence',
  'settle without status check',
  'reap by id only',
  'reap that does not check expiry',
  'cancel by id only',
  'read-then-write claim',
  'at_most_once claim without fsync',
  'idempotency key per attempt',
  'epoch not checked',
  'settlement and result event in two transactions',
  'decide inside the settlement',
  'advance without expected version',
  'inbox row applied without mark in the same transaction',
  "fold that lets a fenced member's state through",
  'eager without fence',
  'timer deleted after the transaction',
  'recurrence that fires and advances in two transactions',
  'recurrence without revision, timer row or unique row',
  'recovery that blindly retries after an unknown commit',
  'key from a database sequence after a failover',
]

it('every known mistake is among the weaker variants, and no name is used twice', () => {
  const names = variants.map(({ name }) => name)
  expect(NAMED.filter((name) => !names.includes(name))).toEqual([])
  expect(new Set(names).size).toBe(names.length)
})

it('every invariant is broken by at least one weaker variant: none holds for want of an attack', () => {
  const attacked = new Set<string>(variants.map(({ breaks }) => breaks))
  expect(Object.keys(INVARIANTS).filter((id) => !attacked.has(id))).toEqual([])
})

it('B2 (river #1302): the story of a reap by id is the one that was reported', () => {
  expect(variants.find(({ name }) => name === 'reap by id only')?.story.split(' · ')).toEqual([
    'w1 claims',
    'w1 sends, it is done',
    'the lease runs out',
    'the reaper reads the expired row',
    'w1 settles as succeeded',
    'the reaper settles it as queued',
  ])
})
