// The sweep must find what was planted, in each encoding and place; a sweep that finds nothing proves nothing else.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { folder } from './bed.ts'
import { SPELLINGS } from './spellings.ts'
import { sweep } from './sweep.ts'

const CANARY = 'cAnArY/7f3c+9be0 "125a"&ü'
const NEAR = CANARY.slice(0, -2)

describe('S45: a planted canary is found', () => {
  it.each(Object.keys(SPELLINGS))('%s', (spelling) => {
    const planted = SPELLINGS[spelling]!(CANARY, 'user:', '@host')
    const path = join(folder(), 'planted')
    writeFileSync(path, `${'x'.repeat(1000)}${planted}${'y'.repeat(1000)}`)
    expect(sweep(CANARY, { texts: { log: `a line ${planted} ends` } })).not.toEqual([])
    expect(sweep(CANARY, { files: [path] })).not.toEqual([])
    const bytes = Buffer.from(planted)
    for (const cell of [planted, bytes, new Uint8Array(bytes), { deep: [planted] }])
      expect(sweep(CANARY, { rows: [{ table: 'actions', row: { id: 1, cell } }] })).toMatchObject([
        { where: 'row actions.cell' },
      ])
  })

  it.each(Object.keys(SPELLINGS))('%s: one that is cut short is not it', (spelling) => {
    const planted = SPELLINGS[spelling]!(NEAR, 'user:', '@host')
    expect(sweep(CANARY, { texts: { log: planted }, rows: [{ table: 't', row: { planted } }] })).toEqual([])
  })

  it('as two-byte text, as memory holds it', () => {
    const path = join(folder(), 'core')
    writeFileSync(path, Buffer.concat([Buffer.alloc(333, 7), Buffer.from(CANARY, 'utf16le')]))
    expect(sweep(CANARY, { files: [path] })).toEqual([{ where: `file ${path} at 0`, encoding: 'utf-16' }])
  })

  it('says where and how', () => {
    expect(sweep(CANARY, { texts: { a: CANARY, b: encodeURIComponent(CANARY), c: 'nothing' } })).toEqual([
      { where: 'text a', encoding: 'plain' },
      { where: 'text b', encoding: 'plain in url' },
    ])
    const basic = Buffer.from(`u${CANARY}`).toString('base64')
    expect(sweep(CANARY, { texts: { basic } })).toEqual([{ where: 'text basic', encoding: 'base64 at 1' }])
  })

  it('on the border of two pieces of a large file', () => {
    const path = join(folder(), 'large')
    const piece = 4 * 1024 * 1024
    for (const at of [piece - 10, piece - 700, 2 * piece - 1000]) {
      const bytes = Buffer.alloc(9 * 1024 * 1024, 'x')
      bytes.write(CANARY, at)
      writeFileSync(path, bytes)
      expect(sweep(CANARY, { files: [path] }).length, String(at)).toBeGreaterThan(0)
    }
  })

  it('in a database and its write-ahead log', () => {
    const path = join(folder(), 'pawl.db')
    const database = new DatabaseSync(path)
    database.exec('pragma journal_mode = wal; create table t (a text, b blob)')
    database
      .prepare('insert into t values (?, ?)')
      .run(`x${CANARY}`, Buffer.from(Buffer.from(CANARY).toString('hex')))
    const wal = sweep(CANARY, { files: [`${path}-wal`] })
    expect(wal.map(({ encoding }) => encoding).sort()).toEqual(['hex', 'plain'])
    expect(sweep(CANARY, { files: [path] })).toEqual([])
    database.close()
    expect(sweep(CANARY, { files: [path] })).toHaveLength(2)
  })
})

describe('what is no leak', () => {
  it('nothing, other values, empty places', () => {
    const path = join(folder(), 'empty')
    writeFileSync(path, '')
    expect(sweep(CANARY, {})).toEqual([])
    const row = { a: null, b: undefined, c: 5, d: 7n, e: { f: 7n }, g: new Uint8Array() }
    expect(sweep(CANARY, { texts: { a: '' }, files: [path], rows: [{ table: 't', row }] })).toEqual([])
  })

  it('a canary that proves nothing is refused', () => {
    for (const canary of ['', 'short', 'a  b  c  d  e  '])
      expect(() => sweep(canary, {})).toThrow('proves nothing')
  })
})
