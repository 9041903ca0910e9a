// Owns secrets at rest (S41): AES-256-GCM under a key derived for each tenant. A row is bound to its tenant, name,
// version, key and hosts: moved, renamed or given other hosts it no longer opens.

import { createCipheriv, createDecipheriv, createHmac, hkdfSync, type KeyObject } from 'node:crypto'
import type { PawlError } from '../core/errors.ts'
import { canonical } from '../core/json.ts'
import type { KeyRing } from './key-ring.ts'
import { drawNonce } from './random.ts'
import { refusal } from './refusal.ts'
import type { Tenancy } from './secret.ts'
import type { SealedSecret } from './vault.ts'

type Label = Pick<SealedSecret, 'name' | 'version' | 'hosts'>
type Sealed = Pick<SealedSecret, 'keyId' | 'nonce' | 'ciphertext' | 'fingerprint'>

export interface Sealer {
  /** Undefined: there is no key, nothing can be sealed. */
  readonly current: string | undefined
  readonly seal: (of: Tenancy, label: Label, value: string) => Label & Sealed
  readonly open: (of: Tenancy, row: Label & Omit<Sealed, 'fingerprint'>) => string
}

const CIPHER = 'aes-256-gcm'
const TAG_BYTES = 16

export const createSealer = (ring: KeyRing | undefined): Sealer => {
  const seal: Sealer['seal'] = (of, label, value) => {
    const [keyId, key] = [ring?.current, ring?.keys.get(ring.current)]
    if (keyId === undefined || key === undefined) throw keyMissing(label.name)
    const nonce = drawNonce()
    const cipher = createCipheriv(CIPHER, derive(key, of, 'seal'), nonce, { authTagLength: TAG_BYTES })
    cipher.setAAD(boundTo(of, label, keyId))
    const ciphertext = Buffer.concat([cipher.update(value, 'utf8'), cipher.final(), cipher.getAuthTag()])
    return {
      ...label,
      keyId,
      nonce: nonce.toString('base64'),
      ciphertext: ciphertext.toString('base64'),
      fingerprint: fingerprint(key, of, value),
    }
  }

  const open: Sealer['open'] = (of, row) => {
    const key = ring?.keys.get(row.keyId)
    if (key === undefined) throw keyUnknown(row)
    try {
      return decipher(derive(key, of, 'seal'), row, boundTo(of, row, row.keyId))
    } catch {
      throw refusal(
        'secret_unreadable',
        `the stored secret ${row.name} does not open with its key ${row.keyId}`,
        {
          expected: 'the row as it was written; set the secret again',
        },
      )
    }
  }
  return { current: ring?.current, seal, open }
}

const decipher = (
  key: Buffer,
  { nonce, ciphertext }: Pick<SealedSecret, 'nonce' | 'ciphertext'>,
  aad: Buffer,
): string => {
  const bytes = Buffer.from(ciphertext, 'base64')
  const opening = createDecipheriv(CIPHER, key, Buffer.from(nonce, 'base64'), { authTagLength: TAG_BYTES })
  opening.setAAD(aad)
  opening.setAuthTag(bytes.subarray(-TAG_BYTES))
  return Buffer.concat([opening.update(bytes.subarray(0, -TAG_BYTES)), opening.final()]).toString('utf8')
}

/** One tenant's key opens nothing of another's, and a fingerprint says nothing about a seal. */
const derive = (key: KeyObject, { namespace, tenant }: Tenancy, use: 'seal' | 'fingerprint'): Buffer =>
  Buffer.from(hkdfSync('sha256', key, '', canonical(['pawl secrets 1', use, namespace, tenant]), 32))

const boundTo = ({ namespace, tenant }: Tenancy, { name, version, hosts }: Label, keyId: string): Buffer =>
  Buffer.from(canonical([namespace, tenant, name, version, keyId, hosts]))

/** Keyed, so that nobody with the table can try values, and equal values of two tenants look different. */
const fingerprint = (key: KeyObject, of: Tenancy, value: string): string =>
  createHmac('sha256', derive(key, of, 'fingerprint'))
    .update(value)
    .digest('hex')
    .slice(0, 8)

const keyMissing = (name: string): PawlError =>
  refusal('secrets_key_missing', `the secret ${name} cannot be stored: there is no key to seal it with`, {
    expected: 'PAWL_SECRETS_KEY, 32 random bytes, as `openssl rand -base64 32` prints them',
  })

const keyUnknown = ({ name, keyId }: Pick<SealedSecret, 'name' | 'keyId'>): PawlError =>
  refusal(
    'secret_key_unknown',
    `the stored secret ${name} was sealed with the key ${keyId}, which is not here`,
    {
      expected: `the key ${keyId} in PAWL_SECRETS_KEYS, or as PAWL_SECRETS_KEY`,
      keyId,
    },
  )
