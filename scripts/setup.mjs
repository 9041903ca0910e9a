// Makes a clone runnable: installs what the lockfile names and, where the running Node is too old for Pawl,
// a newer one beside it (npm scripts look in node_modules/.bin first). Needs nothing but Node 20 and npm;
// does nothing when everything is in place.
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const stamp = join(root, 'node_modules', '.pawl-setup')
const needed = [22, 18]
const installed = 'node@24'

const version = (text) => text.replace(/^v/, '').split('.').map(Number)
const enough = ([major, minor]) => major > needed[0] || (major === needed[0] && minor >= needed[1])
const lock = createHash('sha256')
  .update(readFileSync(join(root, 'package-lock.json')))
  .digest('hex')

const npm = (...args) => {
  const command = process.env['npm_execpath']
    ? [process.execPath, process.env['npm_execpath']]
    : [process.platform === 'win32' ? 'npm.cmd' : 'npm']
  const run = spawnSync(
    command[0],
    [...command.slice(1), ...args, '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  )
  if (run.status !== 0) {
    console.error(`pawl: npm ${args.join(' ')} failed; see its message above. Nothing else was changed.`)
    process.exit(run.status ?? 1)
  }
}

const nodeOnPath = () => {
  const local = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node')
  // Run by the Node that `npm ci` has just taken away: what is left on the path is not known to be enough.
  if (!existsSync(local))
    return process.execPath.startsWith(join(root, 'node_modules')) ? [0, 0] : version(process.version)
  try {
    return version(
      execFileSync(local, ['--version'], { encoding: 'utf8', shell: process.platform === 'win32' }).trim(),
    )
  } catch {
    return version(process.version)
  }
}

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== lock) {
  console.error('pawl: installing dependencies (once; a minute or so)')
  npm('ci')
  writeFileSync(stamp, lock)
}
if (!enough(nodeOnPath())) {
  console.error(
    `pawl: Node ${process.version} is older than ${needed.join('.')}; installing ${installed} into node_modules (once; a minute or so)`,
  )
  npm('install', '--no-save', '--no-package-lock', installed)
  writeFileSync(stamp, lock)
}
