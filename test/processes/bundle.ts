// Owns a program of processes as one file with a code cache beside it: it starts in a third of the time that reading the
// sources takes, and thousands are started. It is kept below the temporary folder, named after the sources it was made
// of, so that test files that run beside each other, and the next run, find it there. CommonJS, because the facade of a
// built-in module loads all that it names.

import { createHash } from 'node:crypto'
import {
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'vite'
import { MADE } from './made-schema.ts'

export interface Bundle {
  readonly folder: string
  readonly program: string
  readonly env: NodeJS.ProcessEnv
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const SOURCES = [
  'src/**/*.ts',
  'test/processes/*.ts',
  'test/crash/*.ts',
  'test/recurrences/*.ts',
  'test/triage/*.ts',
  'test/load/*.ts',
  'package-lock.json',
]
const PREFIX = 'pawl-program-'
const DAY_MS = 86_400_000

/** What none of the programs uses, and every start would read: built-in runners, templates of mails, YAML. */
const UNUSED: Readonly<Record<string, string>> = {
  'src/runners/built-in.ts': 'export const builtInRunners = () => []',
  'src/runners/email/liquid.ts': 'export const [assertLiquid, renderLiquid] = []',
  'src/definitions/read-yaml.ts': 'export const [readYaml] = []',
}

/** What is known when a bundle is made, in place of the module that finds it out. */
const KNOWN: Readonly<Record<string, string>> = {
  'test/processes/made-schema.ts': `export const MADE = ${JSON.stringify(MADE)}`,
}

/** Modules of Node that cannot be part of a snapshot, or are seldom needed: each is loaded when something of it is. */
const LATE = /^(?:node:)?(?:dns|dns\/promises|http|module|net|tls|zlib)$/
const LOAD_LATE = `require=(load=>name=>${LATE}.test(name)?new Proxy({},{get:(_,key)=>load(name)[key]}):load(name))(require);`

const replaced: Plugin = {
  name: 'replaced',
  load: (id) => ({ ...UNUSED, ...KNOWN })[relative(ROOT, id)],
}

const nameOf = (entry: string): string => {
  const hash = createHash('sha256').update(entry).update(process.version)
  for (const file of SOURCES.flatMap((pattern) => globSync(pattern, { cwd: ROOT })).toSorted())
    if (!file.endsWith('.test.ts')) hash.update(file).update(readFileSync(join(ROOT, file)))
  return `${PREFIX}${hash.digest('hex').slice(0, 16)}`
}

const write = async (entry: string, folder: string): Promise<void> => {
  await build({
    configFile: false,
    logLevel: 'error',
    plugins: [replaced],
    ssr: { noExternal: true },
    build: {
      ssr: entry,
      outDir: folder,
      target: 'node24',
      rolldownOptions: {
        output: {
          format: 'cjs',
          codeSplitting: false,
          dynamicImportInCjs: false,
          banner: LOAD_LATE,
          entryFileNames: 'program.cjs',
          // Half of the text is comments, which every start would read.
          minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
        },
      },
    },
  })
}

/** Those that nobody has used for a day. */
const sweep = (): void => {
  for (const name of globSync(`${PREFIX}*`, { cwd: tmpdir() })) {
    const folder = join(tmpdir(), name)
    const age = Date.now() - (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
    if (age > DAY_MS) rmSync(folder, { recursive: true, force: true })
  }
}

/** Made beside its place and then moved there: whoever comes second finds the first one's. */
const make = async (entry: string, folder: string): Promise<void> => {
  sweep()
  const draft = mkdtempSync(join(tmpdir(), `draft-${basename(folder)}-`))
  await write(entry, draft)
  try {
    renameSync(draft, folder)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
}

const made = new Map<string, Promise<Bundle>>()

const prepare = async (entry: string): Promise<Bundle> => {
  const folder = join(tmpdir(), nameOf(entry))
  if (existsSync(folder)) utimesSync(folder, new Date(), new Date())
  else await make(entry, folder)
  const env = { ...process.env, NODE_COMPILE_CACHE: join(folder, 'cache') }
  return { folder, program: join(folder, 'program.cjs'), env }
}

export const bundleOf = (entry: URL): Promise<Bundle> => {
  const path = fileURLToPath(entry)
  const bundle = made.get(path) ?? prepare(path)
  made.set(path, bundle)
  return bundle
}
