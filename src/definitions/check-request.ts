// Owns checking one request for an action, inside a state, a machine's list or a file of its own: what its options
// say together, and each text that core reads (durations, instants, policies, windows, conditions, placeholders).

import { normalisePolicy, type RetryPolicyInput } from '../core/retry.ts'
import type { KnownNames } from '../core/template/known.ts'
import { durationMs } from '../core/time/duration.ts'
import { parseInstant } from '../core/time/instant.ts'
import { parseWindow } from '../core/time/window.ts'
import { conditionProblems, literalProblems, templateProblems } from './check-text.ts'
import type { LooseRequest } from './loose.ts'
import { type Path, type Problem, problem, refusal } from './problem.ts'

export function* requestProblems(request: LooseRequest, at: Path, known: KnownNames): Generator<Problem> {
  yield* timeProblems(request, at)
  yield* policyProblems(request.retryPolicy, [...at, 'retryPolicy'])
  yield* dedupProblems(request.dedup, [...at, 'dedup'], known)
  yield* limitProblems(request.limit, [...at, 'limit'], known)
  const { window } = request
  if (window !== undefined && typeof window !== 'string')
    yield* refusal([...at, 'window'], () => parseWindow(window, 'window'))
  yield* conditionProblems(request.condition, [...at, 'condition'], known)
  yield* templateProblems(request.config, [...at, 'config'], known, 'allowed')
  yield* templateProblems(request.summary, [...at, 'summary'], known, 'refused')
  yield* literalProblems(request.metadata, [...at, 'metadata'])
}

function* timeProblems(request: LooseRequest, at: Path): Generator<Problem> {
  const { delay, timeout, expiresAfter, dueAt } = request
  yield* durationProblems(delay, [...at, 'delay'])
  yield* durationProblems(expiresAfter, [...at, 'expiresAfter'])
  const unreadable = durationProblems(timeout, [...at, 'timeout'])
  yield* unreadable
  if (timeout !== undefined && unreadable.length === 0 && durationMs(timeout) === 0)
    yield problem([...at, 'timeout'], 'a timeout of zero ends every attempt before it begins', {
      expected: 'a longer one, such as 30s',
    })
  if (dueAt === undefined) return
  yield* refusal([...at, 'dueAt'], () => parseInstant(dueAt))
  if (delay !== undefined)
    yield problem([...at, 'dueAt'], 'dueAt stands beside delay', { expected: 'one of the two', point: 'key' })
}

const durationProblems = (value: string | number | undefined, at: Path): readonly Problem[] =>
  value === undefined ? [] : refusal(at, () => durationMs(value))

/** Field by field first, because core stops at the first it refuses. */
function* policyProblems(policy: RetryPolicyInput | undefined, at: Path): Generator<Problem> {
  if (policy === undefined) return
  const fields = Object.entries(policy).flatMap(([name, value]) =>
    refusal(at, () => normalisePolicy({ [name]: value }, 'retryPolicy')),
  )
  yield* fields.length > 0 ? fields : refusal(at, () => normalisePolicy(policy, 'retryPolicy'))
}

function* dedupProblems(dedup: LooseRequest['dedup'], at: Path, known: KnownNames): Generator<Problem> {
  if (dedup === undefined) return
  yield* templateProblems(dedup.key, [...at, 'key'], known, 'refused')
  yield* durationProblems(dedup.for, [...at, 'for'])
  if (dedup.for !== undefined && dedup.while !== undefined)
    yield problem([...at, 'while'], 'while stands beside for', { expected: 'one of the two', point: 'key' })
  if (dedup.for === undefined && dedup.while === undefined)
    yield problem(at, 'it is not said how long the key is remembered', {
      expected: 'for: 10m, or while: active',
      point: 'key',
    })
}

function* limitProblems(limit: LooseRequest['limit'], at: Path, known: KnownNames): Generator<Problem> {
  if (limit === undefined) return
  yield* templateProblems(limit.key, [...at, 'key'], known, 'refused')
  if (limit.rate === undefined && limit.concurrency === undefined)
    yield problem(at, 'the limit limits nothing', { expected: 'rate: 10/s, or concurrency: 5', point: 'key' })
}
