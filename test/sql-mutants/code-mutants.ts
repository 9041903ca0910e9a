// Owns mutants of code where a store keeps in TypeScript what the other keeps in SQL, and the bugs that peers had: a fence
// is a chain of conditions, a lock order is a sort. The first two are found by reading the source; the bugs are named.

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { StoreName } from '../../scripts/build-sql.ts'
import { PEER_BUGS } from './peer-bugs.ts'

export interface CodeMutant {
  readonly kind: 'code'
  readonly name: string
  readonly store: StoreName
  /** From the root of the project. */
  readonly file: string
  readonly source: string
  /** The engine is judged by the simulation alone. */
  readonly isEngine: boolean
}

const read = (file: string): string =>
  readFileSync(fileURLToPath(new URL(`../../${file}`, import.meta.url)), 'utf8')

const mutant = (
  store: StoreName,
  file: string,
  what: string,
  found: string,
  instead: string,
  from = 0,
): CodeMutant => {
  const source = read(file)
  const at = source.indexOf(found, from)
  if (at === -1) throw new Error(`${file} no longer holds ${found}: the mutant "${what}" has to follow`)
  return {
    kind: 'code',
    name: `${store} ${file}: ${what}`,
    store,
    file,
    source: source.slice(0, at) + instead + source.slice(at + found.length),
    isEngine: file.startsWith('src/engine/'),
  }
}

/** Each condition that is joined by && between these words and the end of the expression. */
const conjunctsOf = (store: StoreName, file: string, head: string): readonly CodeMutant[] => {
  const source = read(file)
  const from = source.indexOf(head) + head.length
  const body = source.slice(from, source.indexOf('\n  return', from))
  return body
    .split('&&')
    .map((part) => part.trim())
    .map((part) => {
      // The rest of the chain reads the row: that there is one must still be said.
      const instead = part.startsWith('row?.') ? 'row !== undefined' : 'true'
      return mutant(store, file, `${part} dropped`, part, instead, from)
    })
}

const SORT = /\.(?:sort|toSorted)\((?:\w+|\([^)]*\) => \([^)]*\))?\)/g

/** Where a batch puts its rows in order before it locks them, named by what is put in order. */
const sortsOf = (file: string): readonly CodeMutant[] => {
  const source = read(file)
  const random = '.toSorted(() => Math.random() - 0.5)'
  return [...source.matchAll(SORT)].map(({ 0: found, index }) => {
    const [, name] = [...source.slice(0, index).matchAll(/\bconst (\w+)/g)].at(-1)!
    return mutant('postgres', file, `order of ${name} dropped`, found, random, index)
  })
}

const LOCKING = ['needs', 'write', 'read', 'lanes', 'claim'].map((name) => `src/store/postgres/${name}.ts`)

export const codeMutantsOf = (store: StoreName): readonly CodeMutant[] => [
  ...conjunctsOf(store, `src/store/${store}/fence.ts`, 'const holds ='),
  ...(store === 'postgres' ? LOCKING.flatMap(sortsOf) : []),
  ...PEER_BUGS.filter((bug) => bug.store === store).map(({ file, what, found, instead }) =>
    mutant(store, file, what, found, instead),
  ),
]
