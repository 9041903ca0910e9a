// Owns running tests written for vitest without its runner: the same `expect` and `vi`, but `describe` and `it` only
// collect. Reruns of vitest 5.1 itself took 400–1,000 ms a mutant here, this takes some 15. What it does not know it
// refuses aloud.

import * as vitest from 'vitest'

export interface Case {
  readonly name: string
  readonly run: () => unknown
}

export interface Suite {
  /** Stands in for the package `vitest`. */
  readonly standIn: object
  /** The cases that `load` declares. */
  readonly collect: (load: () => void) => readonly Case[]
}

type Body = (...args: readonly unknown[]) => unknown
type Declare = (name: unknown, ...rest: readonly unknown[]) => void

const bodyOf = (rest: readonly unknown[]): Body => {
  const body = rest.find((part) => typeof part === 'function')
  if (body === undefined) throw new Error('a test without a function is not supported here')
  return body as Body
}

/** `each` spreads a row that is a list; `for` never does. */
const tableOf =
  (declare: (name: string, body: Body) => void, spreads: boolean) =>
  (table: readonly unknown[]) =>
  (name: unknown, ...rest: readonly unknown[]): void => {
    table.forEach((row, index) => {
      const args = spreads && Array.isArray(row) ? row : [row]
      declare(`${String(name)} #${index}`, () => bodyOf(rest)(...args))
    })
  }

const withTables = (declare: (name: string, body: Body) => void): Declare => {
  const plain: Declare = (name, ...rest) => declare(String(name), bodyOf(rest))
  return new Proxy(Object.assign(plain, { each: tableOf(declare, true), for: tableOf(declare, false) }), {
    get: (target, key) => {
      if (!(key in target)) throw new Error(`.${String(key)} of a test is not supported here`)
      return Reflect.get(target, key)
    },
  })
}

const refused =
  (name: string): Declare =>
  () => {
    throw new Error(`${name}() is not supported here`)
  }

export const createSuite = (): Suite => {
  let cases: Case[] = []
  let path: readonly string[] = []
  const it = withTables((name, body) => {
    cases.push({ name: [...path, name].join(' > '), run: () => body({ expect: vitest.expect }) })
  })
  const describe = withTables((name, body) => {
    const outside = path
    path = [...path, name]
    body()
    path = outside
  })
  const hooks = ['beforeAll', 'beforeEach', 'afterAll', 'afterEach', 'aroundAll', 'aroundEach']
  return {
    standIn: {
      ...vitest,
      it,
      test: it,
      describe,
      suite: describe,
      ...Object.fromEntries(hooks.map((hook) => [hook, refused(hook)])),
    },
    collect: (load) => {
      cases = []
      path = []
      load()
      return cases
    },
  }
}
