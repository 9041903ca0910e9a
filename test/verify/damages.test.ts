import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Report, verify } from '../../src/verify/verify.ts'
import { DAMAGES, missedBy, reportOf, rulesOf } from './damages.ts'
import { type Ground, postgresGround, sqliteGround } from './ground.ts'

const GROUNDS = { SQLite: sqliteGround, PostgreSQL: postgresGround }

it('there are at least forty kinds of damage, each of its own name', () => {
  expect(DAMAGES.length).toBeGreaterThanOrEqual(40)
  expect(new Set(DAMAGES.map(({ name }) => name)).size).toBe(DAMAGES.length)
})

describe.each(Object.keys(GROUNDS) as (keyof typeof GROUNDS)[])('verify on %s', (store) => {
  let ground: Ground
  let sound: Report
  beforeAll(async () => {
    ground = await GROUNDS[store]()
    sound = await verify({ inspector: ground.inspector })
  }, 120_000)
  afterAll(() => ground.close())

  it('a store the engine has filled is sound, and all of it was looked at', () => {
    expect(sound.findings).toEqual([])
    expect(sound).toMatchObject({ isSound: true, more: 0, unchecked: [] })
    expect(sound.next).toBeUndefined()
    for (const [table, count] of Object.entries(sound.checked)) expect(count, table).toBeGreaterThan(0)
  })

  it.each(DAMAGES)('$name: $finds', async (damage) => {
    const { findings, isSound } = await reportOf(ground, damage, verify)
    expect(rulesOf(findings)).toEqual([...damage.finds].sort())
    expect(findings.map(({ where }) => where)).toContainEqual(
      expect.objectContaining(damage.at(ground.names)),
    )
    for (const { text, expected, found } of findings)
      expect([text, expected, found].every((words) => words !== '')).toBe(true)
    expect(isSound).toBe(findings.every(({ severity }) => severity === 'warning'))
  })

  it('a verify that always says "sound" misses every one of them', async () => {
    expect(await missedBy(ground, async () => sound)).toHaveLength(DAMAGES.length)
  })

  it('is put back as it was, and still sound', async () => {
    expect((await verify({ inspector: ground.inspector })).findings).toEqual([])
  })
})
