// Owns JSON that is typed: a text, `@file`, or `-` for what is piped in. `key=value` pairs are JSON for the hurried.

import { readFileSync } from 'node:fs'
import { PawlError } from '../core/errors.ts'
import { isObject, type Json, type JsonObject } from '../core/json.ts'

const textOf = (given: string): string => {
  if (given === '-') return readFileSync(0, 'utf8')
  return given.startsWith('@') ? readFileSync(given.slice(1), 'utf8') : given
}

export const readJsonInput = (given: string, what: string): Json => {
  try {
    return JSON.parse(textOf(given)) as Json
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new PawlError('json_rejected', `${what} is not JSON: ${reason.slice(0, 200)}`, {
      path: what,
      expected: `'{"key": "value"}', @file.json, or - to read it from a pipe`,
    })
  }
}

export const readObjectInput = (given: string, what: string): JsonObject => {
  const value = readJsonInput(given, what)
  if (isObject(value)) return value
  throw new PawlError('json_rejected', `${what} is no object`, { path: what, expected: `'{"key": "value"}'` })
}

/** `to=ada@example.com days=6`: what reads as JSON is JSON, the rest is text. */
export const readPairs = (pairs: readonly string[]): JsonObject =>
  Object.fromEntries(
    pairs.map((pair) => {
      const [, name, value] = /^([^=]+)=(.*)$/s.exec(pair) ?? []
      if (name === undefined || value === undefined)
        throw new PawlError('invalid_option', `“${pair.slice(0, 80)}” is no pair`, { expected: 'name=value' })
      return [name, asJson(value)]
    }),
  )

const asJson = (text: string): Json => {
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}
