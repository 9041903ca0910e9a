// The command line as people start it: the entry itself, in a process of its own, with nothing of this machine's settings.

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll } from 'vitest'

export const BIN = fileURLToPath(new URL('../../bin/pawl.mjs', import.meta.url))
export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Spawning {
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string
  readonly cwd?: string
}

const cleanEnv = (): Record<string, string | undefined> =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(PAWL_|DATABASE_URL|NO_COLOR)/.test(name)),
  )

const begin = (args: readonly string[], { env = {}, cwd = folder() }: Spawning): ChildProcess =>
  spawn(process.execPath, [BIN, ...args], { cwd, env: { ...cleanEnv(), ...env }, stdio: 'pipe' })

const folders: string[] = []
const running = new Set<ChildProcess>()
afterAll(() => {
  for (const child of running) child.kill('SIGKILL')
  for (const each of folders.splice(0)) rmSync(each, { recursive: true, force: true })
})

/** An empty directory, gone after the file's tests. */
export const folder = (): string => {
  const made = mkdtempSync(join(tmpdir(), 'pawl-cli-'))
  folders.push(made)
  return made
}

const textOf = (child: ChildProcess) => {
  let [stdout, stderr] = ['', '']
  child.stdout!.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr!.on('data', (chunk) => {
    stderr += chunk
  })
  return { stdout: () => stdout, stderr: () => stderr }
}

const ended = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) => {
    running.add(child)
    child.once('close', (code) => {
      running.delete(child)
      resolve(code)
    })
  })

/** One command, to its end. */
export const pawl = async (args: readonly string[], options: Spawning = {}): Promise<Ran> => {
  const child = begin(args, options)
  const text = textOf(child)
  child.stdin!.end(options.input ?? '')
  const code = await ended(child)
  return { code, stdout: text.stdout(), stderr: text.stderr() }
}

export interface Process {
  readonly pid: number
  readonly stderr: () => string
  readonly stdout: () => string
  /** Asks it to end and waits until it has. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<number | null>
  /** Resolves when it has said this. */
  readonly said: (pattern: RegExp) => Promise<RegExpExecArray>
}

/** One that stays. */
export const start = (args: readonly string[], options: Spawning = {}): Process => {
  const child = begin(args, options)
  const text = textOf(child)
  const end = ended(child)
  const said = (pattern: RegExp): Promise<RegExpExecArray> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = pattern.exec(text.stderr()) ?? pattern.exec(text.stdout())
        if (found !== null) resolve(found)
      }
      child.stderr!.on('data', look)
      child.stdout!.on('data', look)
      void end.then((code) => reject(new Error(`it ended with ${code}: ${text.stderr().slice(-1000)}`)))
      look()
    })
  return {
    pid: child.pid!,
    stderr: text.stderr,
    stdout: text.stdout,
    said,
    stop: (signal = 'SIGTERM') => {
      child.kill(signal)
      return end
    },
  }
}

/** `pawl serve` on a free port, when it says where it is. */
export const serve = async (
  args: readonly string[],
  options: Spawning = {},
): Promise<Process & { readonly url: string }> => {
  const child = start(['serve', '--port', '0', ...args], options)
  const [, url] = await child.said(/API +(http:\/\/\S+)\/v1 /)
  await child.said(/Ctrl-C/)
  return { ...child, url: url! }
}
