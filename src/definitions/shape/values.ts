// Owns the small shapes that all definitions are made of. The convention of this folder: the `error` of a shape is
// what would have been accepted; issues.ts makes the sentence around it. No shape has a default or changes a value,
// so what is hashed is what was written.

import { z } from 'zod'
import type { Json, JsonObject } from '../../core/json.ts'

/** Made when it is first asked for: shapes take zod longer to make than a program to start that reads none. */
export const once = <Value>(make: () => Value): (() => Value) => {
  let made: { readonly value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

const MAX_NAME = 128

/** Names of states, events, actions, runners, tags: one line, not empty. */
export const name = (what: string): z.ZodString => {
  const error = `${what}, 1 to ${MAX_NAME} characters on one line`
  return z
    .string({ error: what })
    .min(1, { error })
    .max(MAX_NAME, { error })
    .regex(/^[^\n\r\t]*$/, { error })
}

export const text = (what: string): z.ZodString => z.string({ error: what })

export const flag = (): z.ZodBoolean => z.boolean({ error: 'true or false' })

export const whole = (least: number, most: number, note = ''): z.ZodNumber => {
  const error = `a whole number from ${least} to ${most}${note}`
  return z.number({ error }).int({ error }).min(least, { error }).max(most, { error })
}

export const number = (what: string): z.ZodNumber => z.number({ error: what })

/** Durations and instants: which texts are good is core's to say. */
export const textOrNumber = (what: string): z.ZodUnion<[z.ZodString, z.ZodNumber]> =>
  z.union([z.string(), z.number()], { error: what })

export const duration = (): z.ZodUnion<[z.ZodString, z.ZodNumber]> =>
  textOrNumber('a duration such as 90s, 5m, 1h30m or 42d, or milliseconds')

export const word = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, { error: values.join(', ') })

export const list = <T extends z.ZodType>(item: T, what: string): z.ZodArray<T> =>
  z.array(item, { error: what })

/** Any JSON: the readers have let nothing else through. */
export const json = (what: string): z.ZodCustom<Json, Json> =>
  z.custom<Json>((value) => value !== undefined, { error: what })

export const jsonObject = (what: string) =>
  z.record(z.string(), json('a value'), { error: what }) as z.ZodType<JsonObject>

export const recordOf = <T extends z.ZodType>(key: z.ZodString, value: T, what: string) =>
  z.record(key, value, { error: what })

/** Unknown keys are errors; what was expected then is the list of the known ones. */
export const object = <const T extends z.ZodRawShape>(what: string, shape: T) =>
  z.strictObject(shape, {
    error: ({ code }) => (code === 'unrecognized_keys' ? Object.keys(shape).join(', ') : what),
  })
