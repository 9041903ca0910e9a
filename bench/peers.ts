// Owns the libraries Pawl is measured against: installs them into bench/peers on first use, as its lockfile says, and
// loads them from there. The project's own node_modules never holds them for the bench's sake.

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { miss, say } from './progress.ts'

const folder = new URL('peers/', import.meta.url)
const stamp = new URL('node_modules/.pawl-peers', folder)

/** Without them the bench goes on alone, and says so. */
export const installPeers = (): void => {
  const lock = createHash('sha256')
    .update(readFileSync(new URL('package-lock.json', folder)))
    .digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return
  say('installing the peers (once)')
  const npm = process.env['npm_execpath']
  const [command, ...first] = npm === undefined ? ['npm'] : [process.execPath, npm]
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const { status } = spawnSync(command!, [...first, 'ci', ...options], {
    cwd: fileURLToPath(folder),
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status === 0) writeFileSync(stamp, lock)
  else miss('every peer', 'npm ci in bench/peers failed; see its message above')
}

export interface Peer<Library> {
  readonly label: string
  readonly library: Library
}

const require = createRequire(new URL('package.json', folder))

/** As in "croner 11.0.0". */
export const labelOf = (name: string): string => {
  const manifest: { dependencies: Record<string, string> } = JSON.parse(
    readFileSync(new URL('package.json', folder), 'utf8'),
  )
  return `${name.replace(/^@[^/]+\//, '')} ${manifest.dependencies[name]}`
}

/** The caller says what of the library it uses; nothing checks that but the bench itself. */
export const loadPeer = async <Library>(name: string): Promise<Peer<Library>> => {
  const library: Library = await import(pathToFileURL(require.resolve(name)).href)
  return { label: labelOf(name), library }
}

/** A file of a package that is there because another needs it. */
export const peerFile = (path: string): string => {
  const file = fileURLToPath(new URL(`node_modules/${path}`, folder))
  if (!existsSync(file)) throw new Error(`${path} is not there`)
  return file
}
