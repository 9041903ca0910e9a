// Owns what a schema is to Pawl: any library that speaks Standard Schema v1 (zod, valibot, arktype …), known by its
// shape alone, and the one way to ask it. Which error a refusal becomes is its caller's business.
// C1  Asking never throws and never waits: a schema that throws or answers later has refused.

/** Standard Schema v1, as much of it as Pawl uses. `types` exists for the compiler only. */
export interface Schema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1
    readonly validate: (value: unknown) => Verdict | PromiseLike<Verdict>
    readonly types?: { readonly input: Input; readonly output: Output } | undefined
  }
}

interface Verdict {
  readonly value?: unknown
  readonly issues?: readonly Issue[] | undefined
}

interface Issue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** What a caller may write: fields with a default are optional. */
export type InputOf<S extends Schema> = NonNullable<S['~standard']['types']>['input']
/** What the code behind the schema sees: defaults filled in. */
export type OutputOf<S extends Schema> = NonNullable<S['~standard']['types']>['output']

export interface Misfit {
  /** Dotted, from the value that was checked: `recipients.0.email`; empty for the value itself. */
  readonly path: string
  readonly message: string
}

export type Checked<T> =
  | { readonly fits: true; readonly value: T }
  | { readonly fits: false; readonly misfits: readonly Misfit[] }

/** An array of a million wrong items is refused with its first twenty. */
const MAX_MISFITS = 20
const MAX_MESSAGE = 200
const ANSWERS_LATER =
  'the schema answers later (an async refinement?), and values are checked without waiting'

/** For callers without a compiler. Schemas of arktype are functions. */
export const isSchema = (value: unknown): value is Schema =>
  (typeof value === 'object' || typeof value === 'function') && value !== null && '~standard' in value

export const checkWith =
  <S extends Schema>(schema: S): ((value: unknown) => Checked<OutputOf<S>>) =>
  (value) => {
    try {
      return judge(schema['~standard'].validate(value))
    } catch (failure) {
      const reason = failure instanceof Error ? failure.message : String(failure)
      return misfit({ path: '', message: `the schema itself failed: ${reason}` })
    }
  }

/** The first misfits in one line: `to: expected string; text: too long`. */
export const inWords = (misfits: readonly Misfit[]): string =>
  misfits
    .slice(0, 3)
    .map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
    .concat(misfits.length > 3 ? [`and ${misfits.length - 3} more`] : [])
    .join('; ')

export const misfit = ({ path, message }: Misfit): Checked<never> => ({
  fits: false,
  misfits: [{ path, message: message.slice(0, MAX_MESSAGE) }],
})

const judge = <T>(verdict: Verdict | PromiseLike<Verdict>): Checked<T> => {
  if ('then' in verdict) {
    // Nobody waits for it, so its rejection must not end the process.
    verdict.then(undefined, () => undefined)
    return misfit({ path: '', message: ANSWERS_LATER })
  }
  if (verdict.issues === undefined) return { fits: true, value: verdict.value as T }
  return { fits: false, misfits: verdict.issues.slice(0, MAX_MISFITS).map(misfitOf) }
}

const misfitOf = ({ message, path = [] }: Issue): Misfit => ({
  path: path.map((step) => String(typeof step === 'object' ? step.key : step)).join('.'),
  message: message.slice(0, MAX_MESSAGE),
})
