// Owns the law of dependencies: few, exact, each with a reason in a decision record. Every one is code that runs with
// our users' secrets.

import { type Law, lineAt, type SourceFile, type Violation } from './law.ts'

const MAX_DIRECT = 12
const MAX_LOCKED = 40
const EXACT = /^\d+\.\d+\.\d+(-[\w.]+)?$/

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

interface Locked {
  readonly dev?: boolean
  readonly devOptional?: boolean
  readonly peer?: boolean
  readonly link?: boolean
}

const isManifest = (path: string): boolean => /(^|\/)package\.json$/.test(path)
const lineOfName = (file: SourceFile, name: string): number =>
  lineAt(file.text, file.text.indexOf(`"${name}"`))

const inexact = (file: SourceFile): readonly Violation[] => {
  const manifest = JSON.parse(file.text) as Manifest
  const all = { ...manifest.devDependencies, ...manifest.optionalDependencies, ...manifest.dependencies }
  return Object.entries(all)
    .filter(([, version]) => !EXACT.test(version))
    .map(([name, version]) => ({
      file: file.path,
      line: lineOfName(file, name),
      found: `${name} at "${version}"`,
      instead: 'Give one exact version of the registry, such as 4.6.7',
    }))
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')

const unreasoned = (file: SourceFile, records: readonly SourceFile[]): readonly Violation[] => {
  const manifest = JSON.parse(file.text) as Manifest
  const direct = Object.keys({ ...manifest.optionalDependencies, ...manifest.dependencies })
  const nameless = direct.filter(
    (name) => !records.some(({ text }) => new RegExp(`(?<![\\w@/-])${escaped(name)}(?![\\w/-])`).test(text)),
  )
  const tooMany = {
    file: file.path,
    line: lineOfName(file, 'dependencies'),
    found: `${direct.length} direct runtime dependencies`,
    instead: `Keep to ${MAX_DIRECT}: drop one, or make it an optional peer`,
  }
  return [
    ...(direct.length > MAX_DIRECT ? [tooMany] : []),
    ...nameless.map((name) => ({
      file: file.path,
      line: lineOfName(file, name),
      found: `${name} without a reason`,
      instead: 'Say in docs/decisions why it and not our own',
    })),
  ]
}

const tooDeep = (file: SourceFile): readonly Violation[] => {
  const lock = JSON.parse(file.text) as { readonly packages: Readonly<Record<string, Locked>> }
  const production = Object.entries(lock.packages).filter(
    ([path, { dev, devOptional, peer, link }]) =>
      path.includes('node_modules/') && !dev && !devOptional && !peer && !link,
  )
  if (production.length <= MAX_LOCKED) return []
  const found = `${production.length} packages installed for production`
  return [{ file: file.path, line: 1, found, instead: `Keep to ${MAX_LOCKED}, all levels together` }]
}

export const dependencies: Law = {
  name: 'dependencies',
  covers: (path) =>
    isManifest(path) || path === 'package-lock.json' || /^docs\/decisions\/.*\.md$/.test(path),
  check: (files) => {
    const records = files.filter((file) => file.path.endsWith('.md'))
    return [
      ...files.filter((file) => isManifest(file.path)).flatMap(inexact),
      ...files.filter((file) => file.path === 'package.json').flatMap((file) => unreasoned(file, records)),
      ...files.filter((file) => file.path === 'package-lock.json').flatMap(tooDeep),
    ]
  },
}
