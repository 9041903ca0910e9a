// Owns the law of the import table: a file imports only what its room may know. The table itself is rooms.ts; Node's
// modules that reach outside the process are the law of reach.ts.

import { posix } from 'node:path'
import { isCode, isTest, type Law, type SourceFile, type Violation } from './law.ts'
import { type ModuleUse, modulesOf, targetOf } from './modules.ts'
import { isReach } from './reach-table.ts'
import { ROOMS, type Room, type RoomName } from './rooms.ts'

const fits = (at: string, path: string): boolean => {
  if (at === '*') return !path.includes('/')
  if (at.endsWith('/*')) return posix.dirname(path) === at.slice(0, -2)
  return at.endsWith('/') ? path.startsWith(at) : path === at
}

/** How closely a room fits a path; 0 when it does not. */
const closeness = (name: RoomName, path: string): number =>
  Math.max(0, ...ROOMS[name].at.map((at) => (fits(at, path) ? at.length : 0)))

/** A test beside the code is in the tests' room, so shipped code cannot import it. */
const roomOf = (path: string): RoomName | undefined => {
  if (isTest(path)) return 'tests'
  const names = (Object.keys(ROOMS) as RoomName[]).filter((name) => closeness(name, path) > 0)
  return names.sort((a, b) => closeness(b, path) - closeness(a, path))[0]
}

/** `src/runners/email.ts` and `src/runners/email/send.ts` are both `email`. */
const tenant = (room: Room, path: string): string => path.slice(room.at[0]!.length).replace(/[./].*$/, '')

const TABLE = 'or change test/laws/rooms.ts with a decision record'

const refusal = (
  use: ModuleUse,
  from: string,
  name: RoomName,
): Pick<Violation, 'found' | 'instead'> | undefined => {
  const room = ROOMS[name]
  const target = targetOf(use.specifier, from)
  if (target.kind === 'node') {
    if (room.node.includes(target.name) || (room.node.length > 0 && isReach(target.name))) return undefined
    return { found: `${name} imports ${target.name}`, instead: `Take it as an argument, ${TABLE}` }
  }
  if (target.kind === 'package') {
    if (room.packages.includes(target.name)) return undefined
    return { found: `${name} imports the package ${target.name}`, instead: `Do without, ${TABLE}` }
  }
  const other = roomOf(target.path)
  if (other === undefined)
    return { found: `${name} imports ${target.path}, which is in no room`, instead: `Move it, ${TABLE}` }
  if (other !== name)
    return room.knows.includes(other)
      ? undefined
      : { found: `${name} imports ${other}`, instead: `Turn the dependency round, ${TABLE}` }
  const [mine, its] = [tenant(room, from), tenant(room, target.path)]
  if (room.apart !== true || mine === its) return undefined
  return { found: `${name}/${mine} imports ${name}/${its}`, instead: `Share it in a room below, ${TABLE}` }
}

const check = (file: SourceFile): readonly Violation[] => {
  const name = roomOf(file.path)
  if (name === undefined)
    return [{ file: file.path, line: 1, found: 'a file in no room', instead: `Move it, ${TABLE}` }]
  return modulesOf(file).flatMap((use) => {
    const said = refusal(use, file.path, name)
    return said === undefined ? [] : [{ file: file.path, line: use.line, ...said }]
  })
}

export const imports: Law = {
  name: 'imports',
  covers: isCode,
  check: (files) => files.flatMap(check),
}
