// Owns the program as one file with a warm code cache: a process of it starts in a fifth of the time that reading the
// sources takes, and thousands of processes are started.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

export interface Bundle {
  readonly program: string
  readonly env: NodeJS.ProcessEnv
}

const PROGRAM = fileURLToPath(new URL('program.ts', import.meta.url))

const bundle = async (folder: string): Promise<Bundle> => {
  await build({
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true },
    build: { ssr: PROGRAM, outDir: folder, target: 'node24', minify: false },
  })
  return {
    program: join(folder, 'program.js'),
    env: { ...process.env, NODE_COMPILE_CACHE: join(folder, 'cache') },
  }
}

let made: { readonly folder: string; readonly bundle: Promise<Bundle> } | undefined

/** For afterAll: a worker of the tests ends without saying so. */
export const releaseBundle = (): void => {
  if (made !== undefined) rmSync(made.folder, { recursive: true, force: true })
  made = undefined
}

/** Made once for a process, and gone with it. */
export const useBundle = (): Promise<Bundle> => {
  if (made === undefined) {
    const folder = mkdtempSync(join(tmpdir(), 'pawl-crash-'))
    made = { folder, bundle: bundle(folder) }
    process.once('exit', releaseBundle)
  }
  return made.bundle
}
