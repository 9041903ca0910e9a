// Owns the law of what may be touched where: the clock, chance, the environment, the network, other code. The table is
// reach-table.ts. A name with a forbidden member may not be passed on whole (`const { now } = Date`), because what is
// read of it could then no longer be seen; nor may the global object, nor a member be chosen at run time.

import { isCode, isShipped, type Law, type SourceFile, type Violation } from './law.ts'
import { REACH, type Reach } from './reach-table.ts'
import { GLOBAL_OBJECTS, type Reference, referencesIn } from './references.ts'

const BY_PATH: ReadonlyMap<string, Reach> = new Map(
  REACH.flatMap((reach) => reach.paths.map((path) => [path, reach])),
)

/** A call also has the spelling of its arguments: `new Date()`, `.nextRun()`. */
const spellings = ({ path, how, args }: Reference): readonly string[] => {
  if (how !== 'call' && how !== 'new') return []
  // `Date(x)` without `new` ignores x and reads the clock.
  const brackets = args === 0 || (how === 'call' && path === 'Date') ? '()' : args === 1 ? '(x)' : '(…)'
  return [`${how === 'new' ? 'new ' : ''}${path}${brackets}`]
}

/** `a.b.c`, `a.b`, `a`: the longest entry that a path is, or is below, decides. */
const prefixes = (path: string): readonly string[] => {
  const parts = path.split('.')
  return parts.map((_, index) => parts.slice(0, parts.length - index).join('.'))
}

const touched = (reference: Reference): Reach | undefined => {
  const spelled = [...spellings(reference), ...prefixes(named(reference))]
  const entry = spelled.find((path) => BY_PATH.has(path))
  return entry === undefined ? undefined : BY_PATH.get(entry)
}

/** The part of the path that is written out: `Math` of `Math[name]`. */
const named = ({ path }: Reference): string => path.replace('[…]', '')

const isAllowed = (path: string, reach: Reach): boolean =>
  reach.allowed.some((place) => (place.endsWith('/') ? path.startsWith(place) : path === place))

/** Passed on, destructured, or asked for a member that only the running program knows. */
const isWhole = ({ path, how }: Reference): boolean => path.endsWith('[…]') || how === 'value'

/** The topics of a name's members. Who may touch one of them may hold the name. */
const topicsBelow = (path: string): readonly Reach[] =>
  REACH.filter((reach) => reach.paths.some((entry) => entry.startsWith(`${path}.`)))

const spell = ({ path, how, args }: Reference): string =>
  how === 'call' || how === 'new' ? `${how === 'new' ? 'new ' : ''}${path}(${args > 0 ? '…' : ''})` : path

type Said = Pick<Violation, 'found' | 'instead'> | undefined

const judgeOne = (file: SourceFile, reference: Reference): Said => {
  if (reference.how === 'tested') return undefined
  const reach = touched(reference)
  if (reach !== undefined)
    return isAllowed(file.path, reach)
      ? undefined
      : { found: `${spell(reference)} touches ${reach.topic}`, instead: reach.instead }
  if (!isWhole(reference)) return undefined
  const below = topicsBelow(named(reference))
  const isWatched = below.length > 0 || GLOBAL_OBJECTS.includes(named(reference))
  if (!isWatched || below.some((topic) => isAllowed(file.path, topic))) return undefined
  return {
    found: `${reference.path} is passed on whole`,
    instead: 'Name the member you need, where you need it',
  }
}

const checkFile = (file: SourceFile, references: readonly Reference[]): readonly Violation[] => {
  const refusedImports = new Set<string>()
  const told = new Set<string>()
  return references.flatMap((reference) => {
    // An import that was refused is not refused again at each use of it.
    if (prefixes(reference.path).some((path) => refusedImports.has(path))) return []
    const said = judgeOne(file, reference)
    if (said === undefined) return []
    if (reference.how === 'named') refusedImports.add(reference.path)
    const key = `${reference.line} ${said.found}`
    return told.has(key) || !told.add(key) ? [] : [{ file: file.path, line: reference.line, ...said }]
  })
}

export const reach: Law = {
  name: 'reach',
  // Examples too: their output is asserted, so they must come out the same every time.
  covers: (path) => isShipped(path) || (isCode(path) && path.startsWith('examples/')),
  check: (files) => [...referencesIn(files)].flatMap(([file, references]) => checkFile(file, references)),
}
