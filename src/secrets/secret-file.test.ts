import { mkdirSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folder } from '../../test/secrets/bed.ts'
import { readFromDirectory, readSecretFile } from './secret-file.ts'

const unreadable = (why: string) =>
  expect.objectContaining({ code: 'secret_unreadable', message: expect.stringContaining(why) })

const written = (content: string | Uint8Array): string => {
  const path = join(folder(), 'crm_token')
  writeFileSync(path, content)
  return path
}

describe('a file with a secret', () => {
  it.each([
    ['value', 'value'],
    ['value\n', 'value'],
    ['value\r\n', 'value'],
    ['value\n\n', 'value\n'],
    [' two\nlines ', ' two\nlines '],
    ['ключ-🔑\n', 'ключ-🔑'],
    ['x'.repeat(65536), 'x'.repeat(65536)],
  ])('%j', async (content, value) => {
    expect(await readSecretFile(written(content), 'crm_token')).toMatchObject({
      name: 'crm_token',
      value,
      from: 'file',
    })
  })

  it('has another version when it was written again', async () => {
    const path = written('value')
    const versions = []
    for (const at of [1_000, 2_000]) {
      utimesSync(path, at, at)
      versions.push((await readSecretFile(path, 'crm_token')).version)
    }
    expect(versions).toEqual(['1000000', '2000000'])
  })

  it.each([
    ['', 'its file is empty'],
    ['\n', 'its file is empty'],
    ['x'.repeat(65537), 'its file is too large'],
    [Uint8Array.of(0xff, 0xfe, 0x61), 'its file is not text in UTF-8'],
  ])('%# is refused: %s', async (content, why) => {
    await expect(readSecretFile(written(content), 'crm_token')).rejects.toThrow(unreadable(why))
  })

  it('little is read of a huge one, and nothing waited for at a device or directory', async () => {
    const path = written('')
    truncateSync(path, 2 ** 36)
    await expect(readSecretFile(path, 'x')).rejects.toThrow(unreadable('too large'))
    await expect(readSecretFile('/dev/zero', 'x')).rejects.toThrow(unreadable('no plain file'))
    await expect(readSecretFile(folder(), 'x')).rejects.toThrow(unreadable('no plain file'))
  })

  it('one that is said to exist must', async () => {
    await expect(readSecretFile(join(folder(), 'gone'), 'x')).rejects.toThrow(unreadable('(ENOENT)'))
  })
})

describe('a directory of secrets', () => {
  it('has a file for each, or not', async () => {
    const root = folder()
    writeFileSync(join(root, 'crm_token'), 'value\n')
    expect(await readFromDirectory(root, 'crm_token')).toMatchObject({ value: 'value', from: 'file' })
    expect(await readFromDirectory(root, 'mail_key')).toBeUndefined()
    expect(await readFromDirectory(join(root, 'gone'), 'crm_token')).toBeUndefined()
    expect(await readFromDirectory(join(root, 'crm_token'), 'crm_token')).toBeUndefined()
  })

  it('may be mounted: links inside it, replaced as a whole', async () => {
    const root = folder()
    mkdirSync(join(root, '..2026_11'))
    writeFileSync(join(root, '..2026_11', 'crm_token'), 'value')
    symlinkSync('..2026_11', join(root, '..data'))
    symlinkSync(join('..data', 'crm_token'), join(root, 'crm_token'))
    expect(await readFromDirectory(root, 'crm_token')).toMatchObject({ value: 'value' })
    const around = join(folder(), 'mounted')
    symlinkSync(root, around)
    expect(await readFromDirectory(around, 'crm_token')).toMatchObject({ value: 'value' })
  })

  it('F1: no link leads out of it', async () => {
    const [root, outside] = [folder(), folder()]
    writeFileSync(join(outside, 'other'), 'canary')
    symlinkSync(join(outside, 'other'), join(root, 'crm_token'))
    symlinkSync(outside, join(root, 'dir'))
    await expect(readFromDirectory(root, 'crm_token')).rejects.toThrow(
      unreadable('leads out of the directory'),
    )
    await expect(readFromDirectory(root, 'dir')).rejects.toThrow(unreadable('leads out of the directory'))
  })

  it('F1: nor to a neighbour whose name begins the same', async () => {
    const around = folder()
    for (const name of ['root', 'root-2']) mkdirSync(join(around, name))
    writeFileSync(join(around, 'root-2', 'x'), 'canary')
    symlinkSync(join('..', 'root-2', 'x'), join(around, 'root', 'x'))
    await expect(readFromDirectory(join(around, 'root'), 'x')).rejects.toThrow(unreadable('leads out'))
  })

  it('a link in a ring is an error, not an absence', async () => {
    const root = folder()
    symlinkSync('crm_token', join(root, 'crm_token'))
    await expect(readFromDirectory(root, 'crm_token')).rejects.toThrow(unreadable('(ELOOP)'))
  })
})
