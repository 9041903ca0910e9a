// Owns that settlements of one execution which wait for their turn are one move (KERNEL §5): decided one after the other,
// written in one commit, one revision further. A hundred actions of one step cost a few commits instead of a hundred.
// C1  They win or lose together: if one of them has lost its claim, the others must not carry its state. Then, and when one
//     cannot be written, each is tried alone.
// C2  When nobody knows what became of the commit, each is told so; what it was is found out by trying again.

import { PawlError } from '../core/errors.ts'
import type { ExecutionRef } from '../store/store.ts'
import { keyOf } from './cache.ts'
import type { Intake, Move, Moved } from './move.ts'
import { createPigeonholes } from './pigeonholes.ts'
import type { Serial } from './serial.ts'

interface Waiting {
  readonly intake: Intake
  readonly resolve: (moved: Moved) => void
  readonly reject: (error: unknown) => void
}

const MAX_CROWD = 50

/** A settlement and its result, and nothing that somebody asked for. */
const mayJoin = ({ settle, control, consumed }: Intake): boolean =>
  settle !== undefined && control === undefined && consumed.every(({ from }) => from === 'result')

const mergeOf = (crowd: readonly Waiting[]): Intake => ({
  consumed: crowd.flatMap(({ intake }) => intake.consumed),
  settle: crowd.flatMap(({ intake }) => intake.settle ?? []),
  settled: crowd.flatMap(({ intake }) => intake.settled ?? []),
})

/** Of what all of them came to, the part of one. */
const partOf = (moved: Moved, { consumed }: Intake): Moved =>
  moved.kind === 'moved'
    ? { ...moved, steps: moved.steps.filter(({ event }) => consumed.some((own) => own.event === event)) }
    : moved

/** One of them could not be written, so none of them was. */
const isRefusal = (error: unknown): boolean =>
  error instanceof PawlError && (error.code === 'commit_refused' || error.code === 'store_full')

const moveOne = (ref: ExecutionRef, { intake, resolve, reject }: Waiting, move: Move): Promise<void> =>
  move(ref, intake).then(resolve, reject)

const moveAll = async (ref: ExecutionRef, crowd: readonly Waiting[], move: Move): Promise<void> => {
  try {
    const moved = await move(ref, mergeOf(crowd))
    if (moved.kind === 'moved' || moved.kind === 'waits') {
      for (const { intake, resolve } of crowd) resolve(partOf(moved, intake))
      return
    }
  } catch (error) {
    if (!isRefusal(error)) {
      for (const { reject } of crowd) reject(error)
      return
    }
  }
  for (const one of crowd) await moveOne(ref, one, move)
}

/** `move` is called in turns, never twice at a time for one execution. */
export const inCrowds = (serial: Serial, move: Move): Move => {
  const crowds = createPigeonholes<Waiting[]>()
  const gather = (ref: ExecutionRef, one: Waiting): void => {
    const key = keyOf(ref)
    const waiting = crowds.get(key)
    if (waiting !== undefined && waiting.length < MAX_CROWD) {
      waiting.push(one)
      return
    }
    const crowd = [one]
    let isWaiting = false
    let hasBegun = false
    void serial(key, () => {
      hasBegun = true
      if (isWaiting && crowds.get(key) === crowd) crowds.delete(key)
      return crowd.length === 1 ? moveOne(ref, one, move) : moveAll(ref, crowd, move)
    })
    // Most begin at once: nobody can join them.
    if (hasBegun) return
    isWaiting = true
    crowds.set(key, crowd)
  }
  return (ref, intake) =>
    mayJoin(intake)
      ? new Promise((resolve, reject) => gather(ref, { intake, resolve, reject }))
      : serial(keyOf(ref), () => move(ref, intake))
}
