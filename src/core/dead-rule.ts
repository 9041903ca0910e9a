// Owns the rules that take dead letters off people's hands: tried again after a while, put away after a long one. Which
// rule applies is a function of the dead letter, the rules and now; the first that matches decides.

import { PawlError } from './errors.ts'
import { durationMs } from './time/duration.ts'

export interface DeadRuleInput {
  /** What it is about; absent: every dead letter. */
  readonly match?: {
    readonly type?: string
    readonly name?: string
    readonly errorType?: string
    readonly tag?: string
  }
  /** So long after it died it is tried again … */
  readonly retryAfter?: string | number
  /** … for so long after it was made. Default `1d`. */
  readonly within?: string | number
  /** So long after it died it is put away. */
  readonly archiveAfter?: string | number
}

export interface DeadRule {
  readonly match: NonNullable<DeadRuleInput['match']>
  readonly retryMs: number | undefined
  readonly withinMs: number
  readonly archiveMs: number | undefined
}

export interface DeadLetter {
  readonly type: string
  readonly name: string
  readonly tags: readonly string[]
  readonly errorType: string | undefined
  readonly createdAt: number
  readonly diedAt: number
}

const DEFAULT_WITHIN = '1d'

export const parseDeadRules = (rules: readonly DeadRuleInput[]): readonly DeadRule[] =>
  rules.map(({ match = {}, retryAfter, within = DEFAULT_WITHIN, archiveAfter }, index) => {
    const path = `deadLetters.rules.${index}`
    const ms = (value: string | number | undefined, name: string): number | undefined =>
      value === undefined ? undefined : durationMs(value, `${path}.${name}`)
    const [retryMs, archiveMs] = [ms(retryAfter, 'retryAfter'), ms(archiveAfter, 'archiveAfter')]
    if (retryMs === undefined && archiveMs === undefined)
      throw new PawlError('invalid_option', 'a rule for dead letters says what is to be done', {
        path,
        expected: "retryAfter: '1h', or archiveAfter: '30d', or both",
      })
    if (retryMs !== undefined && retryMs < 1000)
      throw new PawlError('invalid_option', 'what has just died is not tried again at once', {
        path: `${path}.retryAfter`,
        expected: 'a second or more',
      })
    return { match, retryMs, archiveMs, withinMs: durationMs(within, `${path}.within`) }
  })

/** Younger ones are nobody's business yet; undefined: there are no rules. */
export const youngestOf = (rules: readonly DeadRule[]): number | undefined =>
  rules.length === 0
    ? undefined
    : Math.min(...rules.flatMap(({ retryMs = Infinity, archiveMs = Infinity }) => [retryMs, archiveMs]))

export const verdictOn = (
  rules: readonly DeadRule[],
  letter: DeadLetter,
  now: number,
): 'retry' | 'archive' | undefined => {
  const rule = rules.find(({ match }) => fits(match, letter))
  if (rule === undefined) return undefined
  const { retryMs = Infinity, archiveMs = Infinity, withinMs } = rule
  const age = now - letter.diedAt
  if (age >= archiveMs) return 'archive'
  return age >= retryMs && now - letter.createdAt <= withinMs ? 'retry' : undefined
}

const fits = ({ type, name, errorType, tag }: DeadRule['match'], letter: DeadLetter): boolean =>
  (type === undefined || type === letter.type) &&
  (name === undefined || name === letter.name) &&
  (errorType === undefined || errorType === letter.errorType) &&
  (tag === undefined || letter.tags.includes(tag))
