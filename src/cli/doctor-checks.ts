// Owns the checks of `pawl doctor`. Each answers what it found in words, and what to do where something is in the way; one
// that cannot be made says so and stops no other.

import { defaultProviderIn, mailProvidersIn, servicesIn } from '../config/providers.ts'
import { explain, PawlError } from '../core/errors.ts'
import { printDuration } from '../core/time/duration-words.ts'
import { createEgress } from '../egress/egress.ts'
import { realClock } from '../engine/clock.ts'
import { parseKeyRing } from '../secrets/key-ring.ts'
import type { Examined } from '../store/examined.ts'
import { VERSION } from '../version.ts'
import { examineStore } from './examine-store.ts'
import { setting } from './given.ts'
import { NEEDED_FLAGS, NEEDED_NODE } from './node.ts'
import { readDefinitions } from './read-definitions.ts'
import type { Session } from './session.ts'
import { shownStore } from './shown-store.ts'
import { countErrors } from './validate.ts'

export interface Check {
  readonly name: string
  readonly status: 'ok' | 'warning' | 'error' | 'unknown'
  readonly text: string
  readonly advice?: string
}

const MOST_SKEW_MS = 1000

const ok = (name: string, text: string): Check => ({ name, status: 'ok', text })
const warning = (name: string, text: string, advice: string): Check => ({
  name,
  status: 'warning',
  text,
  advice,
})
const failed = (name: string, error: unknown, advice?: string): Check => {
  const text =
    error instanceof PawlError ? explain(error) : error instanceof Error ? error.message : String(error)
  return { name, status: 'error', text, ...(advice !== undefined && { advice }) }
}

const nodeCheck = (): readonly Check[] => {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const isEnough = major > NEEDED_NODE[0] || (major === NEEDED_NODE[0] && minor >= NEEDED_NODE[1])
  const flags = NEEDED_FLAGS.filter((flag) => !process.execArgv.includes(flag))
  return [
    isEnough
      ? ok('node', `${process.version}, pawl ${VERSION}`)
      : failed('node', `${process.version} is too old`, `install Node ${NEEDED_NODE.join('.')} or later`),
    flags.length === 0
      ? ok('process', 'code generation from text is off, __proto__ is gone')
      : warning('process', `started without ${flags.join(' ')}`, 'start it by the pawl command'),
  ]
}

const schemaCheck = ({ isNew, missing, unknown }: Examined, store: string): Check => {
  if (isNew) return ok('schema', 'nothing there yet: the first start makes it')
  if (missing.length > 0)
    return failed(
      'schema',
      `older than this version: ${missing.join(', ')} to apply`,
      `pawl migrate --store ${shownStore(store)}`,
    )
  if (unknown.length > 0)
    return warning('schema', `newer than this version: ${unknown.join(', ')}`, 'update Pawl on this machine')
  return ok('schema', 'as this version makes it')
}

/** `from`, `to`: between which instants of this machine it was asked. That may take long and says nothing of the clocks. */
export const skewCheck = (now: number, from: number, to: number): Check => {
  const skew = now < from ? now - from : Math.max(now - to, 0)
  return Math.abs(skew) <= MOST_SKEW_MS
    ? ok('clock', 'this machine and the database agree')
    : warning(
        'clock',
        `the database is ${printDuration(Math.abs(Math.round(skew)))} ${skew > 0 ? 'ahead' : 'behind'}`,
        'run a time service (chrony, systemd-timesyncd) on both',
      )
}

const storeCheck = async (session: Session): Promise<readonly Check[]> => {
  const store = setting<string>(session, 'store')
  if (store === undefined)
    return [warning('store', 'none is named', '--store sqlite:./pawl.db, PAWL_STORE, or store in pawl.toml')]
  try {
    const from = realClock.now()
    const seen = await examineStore(store)
    const to = realClock.now()
    return [
      ok('store', `${shownStore(store)} answers (${seen.engine})`),
      schemaCheck(seen, store),
      ...seen.durability.map(({ name, value, isSafe, advice }) =>
        isSafe ? ok('durability', `${name} = ${value}`) : failed('durability', `${name} = ${value}`, advice),
      ),
      skewCheck(seen.now, from, to),
    ]
  } catch (error) {
    return [failed('store', error, 'is the server up, is the address right, may this user connect?')]
  }
}

const secretsCheck = (session: Session): readonly Check[] => {
  const [key, keys] = ['secrets.key', 'secrets.keys'].map((name) => setting<string>(session, name))
  if (key === undefined && keys === undefined)
    return [
      warning(
        'secrets',
        'no key to seal stored secrets with',
        'set PAWL_SECRETS_KEY (openssl rand -base64 32), or use PAWL_SECRET_<NAME>',
      ),
    ]
  try {
    parseKeyRing({ ...(key !== undefined && { key }), ...(keys !== undefined && { keys }) })
    return [ok('secrets', 'stored secrets can be sealed and opened')]
  } catch (error) {
    return [failed('secrets', error, 'a key is 32 random bytes: openssl rand -base64 32')]
  }
}

const egressCheck = async (session: Session): Promise<readonly Check[]> => {
  const allow = setting<readonly string[]>(session, 'egress.allow') ?? []
  try {
    await createEgress({ allow }).close()
  } catch (error) {
    return [failed('egress', error, 'PAWL_EGRESS_ALLOW=127.0.0.0/8,*.internal.example')]
  }
  if (allow.length === 0) return [ok('egress', 'runners reach public addresses only')]
  return [ok('egress', `runners also reach ${allow.join(', ')}`)]
}

const providersCheck = ({ env }: Session): readonly Check[] => {
  try {
    const names = [...Object.keys(servicesIn(env)), ...Object.keys(mailProvidersIn(env))]
    if (defaultProviderIn(env) === 'sandbox')
      return [ok('providers', 'sandbox: built-in runners send nothing and keep what they would have sent')]
    return names.length > 0
      ? [ok('providers', names.join(', '))]
      : [
          warning(
            'providers',
            'none: email and api_call cannot run here',
            'PAWL_PROVIDERS__SMTP__HOST=…, or PAWL_PROVIDERS=sandbox to try',
          ),
        ]
  } catch (error) {
    return [failed('providers', error)]
  }
}

const definitionsCheck = async (session: Session): Promise<readonly Check[]> => {
  const directory = setting<string>(session, 'definitions')
  if (directory === undefined)
    return [{ name: 'definitions', status: 'unknown', text: 'no directory is named' }]
  try {
    const read = await readDefinitions([directory], session.cwd)
    const errors = countErrors(read)
    return [
      errors === 0
        ? ok('definitions', `${read.parsed.length + read.coded.length} in ${read.files.length} files`)
        : failed(
            'definitions',
            `${errors} errors in ${read.files.length} files`,
            `pawl validate ${directory}`,
          ),
    ]
  } catch (error) {
    return [failed('definitions', error)]
  }
}

const serverCheck = async (session: Session): Promise<readonly Check[]> => {
  const url = setting<string>(session, 'url')
  if (url === undefined || session.options['store'] !== undefined) return []
  try {
    await (await session.client()).ready()
    return [ok('server', `${url} is ready`)]
  } catch (error) {
    return [failed('server', error, 'pawl serve, or another --server')]
  }
}

export const checks = (session: Session): readonly (() => Promise<readonly Check[]>)[] => [
  async () => nodeCheck(),
  () => storeCheck(session),
  async () => secretsCheck(session),
  () => egressCheck(session),
  async () => providersCheck(session),
  () => definitionsCheck(session),
  () => serverCheck(session),
]
