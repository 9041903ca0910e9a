#!/usr/bin/env node
// The entry of the command line. It must parse on old Nodes, so that they can be told which one is needed; then it starts
// the right one again with the flags that take dangerous abilities away: code from text, and __proto__.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const NEEDED = [22, 18]
const FLAGS = ['--disallow-code-generation-from-strings', '--disable-proto=delete']

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1])) {
  console.error(
    `✕ pawl needs Node ${NEEDED.join('.')} or later, and this is ${process.version} (${process.execPath}).\n` +
      '    Install a newer one (https://nodejs.org), or start pawl with it: /path/to/node bin/pawl.mjs',
  )
  process.exit(1)
}

// A clone runs its sources; what is installed has only what was built of them.
const sources = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url))
const built = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))
const isClone = existsSync(sources)
const args = [...FLAGS, ...process.execArgv, isClone ? sources : built, ...process.argv.slice(2)]
// What was compiled of the sources is kept: the second start takes half the time.
const cache = fileURLToPath(new URL('../.cache/compile', import.meta.url))
const env = isClone ? { NODE_COMPILE_CACHE: cache, ...process.env } : process.env

if (typeof process.execve === 'function' && process.platform !== 'win32') {
  // In place: one process, one number, and every signal reaches it.
  process.execve(process.execPath, [process.execPath, ...args], env)
} else {
  const child = spawn(process.execPath, args, { stdio: 'inherit', env })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'])
    process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal === 'SIGINT' ? 130 : signal === 'SIGTERM' ? 143 : 1)
  })
}
