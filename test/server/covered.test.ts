// Every route is named in the title of a test of this directory, as API.md writes it: read off their sources, so that a route
// nobody tests cannot be added.

import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { ROUTES } from '../../src/server/routes.ts'

const HERE = new URL('.', import.meta.url)
const METHODS = '(?:GET|POST|PUT|PATCH|DELETE)'
/** `PUT, GET /v1/secrets/{name}`, `POST /v1/bulk/{id}/{pause,resume}`. */
const NAMED = new RegExp(`(${METHODS}(?:, ${METHODS})*) (/[\\w./{},-]*[\\w}])`, 'g')

/** `/a/{b,c}` → `/a/b`, `/a/c`. A name in braces stays. */
const spelt = (path: string): readonly string[] => {
  const found = /\{([\w.-]+(?:,[\w.-]+)+)\}/.exec(path)
  if (found === null) return [path]
  return found[1]!.split(',').flatMap((word) => spelt(path.replace(found[0], word)))
}

const namedIn = (source: string): readonly string[] =>
  [...source.matchAll(NAMED)].flatMap(([, methods, path]) =>
    methods!.split(', ').flatMap((method) => spelt(path!).map((each) => `${method} ${each}`)),
  )

it('every route is named by a test, and every name is a route', () => {
  const files = readdirSync(HERE).filter((name) => name.endsWith('.test.ts') && name !== 'covered.test.ts')
  const titles = files.flatMap(
    (name) => readFileSync(new URL(name, HERE), 'utf8').match(/\b(?:it|describe)\((['`]).*?\1,/g) ?? [],
  )
  const named = new Set(titles.flatMap(namedIn))
  const lines = ROUTES.map(({ method, path }) => `${method} ${path}`)
  expect(lines.filter((line) => !named.has(line))).toEqual([])
  expect([...named].filter((name) => !lines.includes(name))).toEqual([])
})
