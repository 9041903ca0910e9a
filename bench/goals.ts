// The goals of the bench, as ratios: what a figure must reach against a peer in the same run. Written down as data, so that a
// report can say which are met; a bench never fails because of one.

import type { Figure } from './figure.ts'

interface Goal {
  readonly figure: RegExp
  readonly peer: RegExp
  readonly atLeast: number
}

const POSTGRES = '^PostgreSQL [\\d.]+'
const PROCESS = 'process( a long queue)?$'
const goal = (figure: string, peer: string, atLeast: number): Goal => ({
  figure: new RegExp(figure),
  peer: new RegExp(peer),
  atLeast,
})

const GOALS: readonly Goal[] = [
  goal(`${POSTGRES}: ${PROCESS}`, '^(graphile-worker|pg-boss)', 1),
  goal(`${POSTGRES}: ${PROCESS}`, '^bullmq', 2),
  goal(`${POSTGRES}: enqueue one by one`, '^(graphile-worker|pg-boss)', 20),
  goal(`${POSTGRES}: enqueue one by one`, '^bullmq', 1.5),
  goal(`${POSTGRES}: enqueue in batches`, '^(graphile-worker|pg-boss)', 1),
  goal(`${POSTGRES}: idle latency p50`, '^graphile-worker', 1),
  goal(`${POSTGRES}, full loop: three-step`, '^restate', 5),
  goal(`${POSTGRES}, full loop: three-step`, '^dbos', 10),
  goal(`^SQLite: ${PROCESS}`, '^plainjob', 2),
  goal('^SQLite: idle latency p50', '.', 1),
  goal('^SQLite, full loop: three-step', '^restate', 10),
  goal('^SQLite, full loop: three-step', '^dbos', 20),
  goal(`: ${PROCESS}`, '^the same rows', 0.7),
  goal(': lateness p99', '^bullmq', 2),
  goal(': lateness p99', '.', 1),
  goal(': process, .* tenants', ' tenants$', 0.8),
  goal(': process, (?!.* tenants)', ' queued$', 0.8),
  goal(': process under an open snapshot', '^the first', 0.8),
]

/** What the ratio of this figure must reach, if anything is said about it. */
export const goalOf = ({ name, peer }: Figure): number | undefined =>
  peer === undefined ? undefined : GOALS.find((one) => one.figure.test(name) && one.peer.test(peer))?.atLeast
