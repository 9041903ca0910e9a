// Owns the law that the repository names no machine: no home directory, no folder it happens to be checked out in, no
// package registry. What is true on one machine is a leak, or a fault, on the next.

import { type Law, matches, type SourceFile, type Violation } from './law.ts'

const HOME = /(?<![\w.-])(\/(?:home|Users)\/[\w.-]+|\/root\/[\w.-]+|[A-Za-z]:\\{1,2}Users\\{1,2}[\w.-]+)/g
const REGISTRY =
  /\b((?:registry|npm)\.[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:org|com|net|io|dev)\b|registry["']?\s*[=:]\s*["']?https?:[^\s"']*|_auth(?:Token)?\s*=)/gi

const homes = (file: SourceFile): readonly Violation[] =>
  matches(file, HOME, ([found]) => ({
    found: `the machine path ${found}`,
    instead: 'Use a path from the root of the repository',
  }))

const registries = (file: SourceFile): readonly Violation[] =>
  matches(file, REGISTRY, ([found]) => ({
    found: `the registry ${found}`,
    instead: 'Leave the registry to the configuration of whoever installs',
  }))

/** A root of one part (`/app`) is a word like any other. */
const checkout = (file: SourceFile, root: string): readonly Violation[] => {
  const at = /^\/[^/]+\/./.test(root) ? file.text.indexOf(root) : -1
  if (at === -1) return []
  const line = file.text.slice(0, at).split('\n').length
  return [
    {
      file: file.path,
      line,
      found: `the machine path ${root}`,
      instead: 'Use a path from the root of the repository',
    },
  ]
}

/** A workspace is resolved to its folder; anything with a scheme is an address. */
const addresses = (file: SourceFile): readonly Violation[] =>
  file.path.endsWith('package-lock.json')
    ? matches(file, /"resolved":\s*"([a-z+]+:[^"]*)"/g, ([, address]) => ({
        found: `the address ${address}`,
        instead: 'Install with omit-lockfile-registry-resolved, so that the lockfile holds hashes only',
      }))
    : []

export const places = (root: string): Law => ({
  name: 'places',
  covers: () => true,
  check: (files) =>
    files.flatMap((file) => {
      const address = addresses(file)
      return [...homes(file), ...checkout(file, root), ...(address.length > 0 ? address : registries(file))]
    }),
})
