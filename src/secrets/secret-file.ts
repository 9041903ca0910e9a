// Owns reading a secret from a file, as orchestrators mount them: one file, one value, a closing line break cut. Bounded
// whatever the path leads to: a pipe does not block, a device is refused, of a huge file little is read.
// F1  A file of the directory lies in the directory, also when links lead to it (a mounted volume is full of links).

import { constants } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { PawlError } from '../core/errors.ts'
import { refusal } from './refusal.ts'
import type { Secret } from './secret.ts'
import { MAX_VALUE_BYTES } from './secret-value.ts'

/** Undefined: there is no file of that name. `name` was checked: it cannot lead out of the directory by itself. */
export const readFromDirectory = async (directory: string, name: string): Promise<Secret | undefined> => {
  const [root, path] = await Promise.all([located(directory, name), located(join(directory, name), name)])
  if (root === undefined || path === undefined) return undefined
  if (relative(root, path).split(sep)[0] === '..')
    throw unreadable(name, 'its file is a link that leads out of the directory of secrets', 'a file in it')
  return readSecretFile(path, name)
}

/** A path that the operator wrote down must exist. */
export const readSecretFile = async (path: string, name: string): Promise<Secret> => {
  const { text, version } = await readText(path, name)
  const value = text.replace(/\r?\n$/, '')
  if (value === '') throw unreadable(name, 'its file is empty', 'the value in it')
  return { name, value, from: 'file', version }
}

const located = async (path: string, name: string): Promise<string | undefined> => {
  try {
    return await realpath(path)
  } catch (failure) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(failure))) return undefined
    throw notOpened(name, failure)
  }
}

const readText = async (path: string, name: string): Promise<{ text: string; version: string }> => {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((failure: unknown) => {
    throw notOpened(name, failure)
  })
  try {
    const stats = await file.stat()
    if (!stats.isFile()) throw unreadable(name, 'its file is no plain file', 'a plain file')
    const bytes = Buffer.alloc(MAX_VALUE_BYTES + 1)
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0)
    if (bytesRead > MAX_VALUE_BYTES)
      throw unreadable(name, 'its file is too large', `at most ${MAX_VALUE_BYTES} bytes`)
    return { text: decoded(bytes.subarray(0, bytesRead), name), version: String(Math.trunc(stats.mtimeMs)) }
  } finally {
    await file.close()
  }
}

const decoded = (bytes: Uint8Array, name: string): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw unreadable(name, 'its file is not text in UTF-8', 'text; encode bytes in base64')
  }
}

const codeOf = (failure: unknown): string => String((failure as { readonly code?: unknown }).code)

const notOpened = (name: string, failure: unknown): PawlError =>
  unreadable(name, `its file cannot be opened (${codeOf(failure)})`, 'a file that this process may read')

const unreadable = (name: string, why: string, expected: string): PawlError =>
  refusal('secret_unreadable', `the secret ${name} cannot be read: ${why}`, { expected })
