import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inspectStore, type Step, type VerifyOptions, verify } from '../../src/verify/verify.ts'
import type { Hammer } from './ground.ts'
import { type Ground, postgresGround, sqliteGround } from './ground.ts'

const GROUNDS = { SQLite: sqliteGround, PostgreSQL: postgresGround }

describe.each(Object.keys(GROUNDS) as (keyof typeof GROUNDS)[])('verify on %s', (store) => {
  let ground: Ground
  beforeAll(async () => {
    ground = await GROUNDS[store]()
  }, 120_000)
  afterAll(() => ground.close())
  const look = (options: Partial<VerifyOptions> = {}, onStep?: (step: Step) => void) =>
    verify({ inspector: ground.inspector, ...options }, onStep)
  const damaged = (sql: string, options?: Partial<VerifyOptions>) =>
    ground.damaged(
      (hammer: Hammer) => hammer.sql(sql),
      () => look(options),
    )

  it('finds the same in slices of one row, and of executions cut to two lines', async () => {
    const whole = await look()
    const small = await look({ limits: { slice: 1, lines: 2 } })
    expect(small.findings).toEqual([])
    expect(small.checked).toEqual(whole.checked)
  })

  it('finds a changed line among the older ones of a long history', async () => {
    const change = (hammer: Hammer) =>
      hammer.json('events', 'data', `tenant = 'default' and execution = 'ok' and number = 1`, (data) => ({
        ...data,
        more: 1,
      }))
    const report = await ground.damaged(change, () => look({ limits: { lines: 2 } }))
    expect(report.findings).toMatchObject([{ invariant: 'chain', where: { execution: 'ok', line: 1 } }])
  })

  it('stops after so many rows, says where, and goes on from there to the same end', async () => {
    const whole = await look()
    const checked: Record<string, number> = {}
    let next: string | undefined
    let calls = 0
    do {
      const report = await look({ limits: { slice: 5, rows: 5 }, ...(next !== undefined && { after: next }) })
      for (const [table, count] of Object.entries(report.checked))
        checked[table] = (checked[table] ?? 0) + count
      expect(report.findings).toEqual([])
      next = report.next
      calls += 1
    } while (next !== undefined)
    expect(calls).toBeGreaterThan(10)
    expect(checked).toEqual(whole.checked)
  })

  it('a resumed look finds what comes after its place, lost rows among it', async () => {
    const cursors: string[] = []
    await look({}, (step) => {
      if (step.kind === 'progress' && step.cursor !== undefined) cursors.push(step.cursor)
    })
    const after = cursors[0]!
    const report = await damaged(
      `update counters set value = value + 1 where tenant = 'other' and name = 'actions.open'`,
      { after },
    )
    expect(report.findings).toMatchObject([{ invariant: 'I6', where: { tenant: 'other' } }])
    expect(report.checked.executions).toBe(0)
  })

  it('tells progress and findings on the way', async () => {
    const steps: Step[] = []
    const onStep = (step: Step): void => void steps.push(step)
    const sql = `update actions_done set reaps = 9`
    await ground.damaged(
      (hammer) => hammer.sql(sql),
      () => look({}, onStep),
    )
    const parts = steps.flatMap((step) => (step.kind === 'progress' ? [step.part] : []))
    expect(parts.slice(0, 3)).toEqual(['executions', 'actions', 'done'])
    expect(steps.some(({ kind }) => kind === 'finding')).toBe(true)
    expect(steps.at(-1)).not.toHaveProperty('cursor')
  })

  it('can be gone through step by step, and left at any of them', async () => {
    const parts: string[] = []
    for await (const step of inspectStore({ inspector: ground.inspector }))
      if (step.kind === 'progress' && parts.push(step.part) === 2) break
    expect(parts).toEqual(['executions', 'actions'])
  })

  it('keeps so many findings and counts the rest', async () => {
    const all = await damaged(`update actions_done set reaps = 9`)
    const few = await damaged(`update actions_done set reaps = 9`, { limits: { findings: 2 } })
    expect(few.findings).toHaveLength(2)
    expect(few.more).toBe(all.findings.length - 2)
    expect(few.isSound).toBe(false)
  })

  it('stops at the end of a slice when it is told to', async () => {
    const report = await look({ signal: AbortSignal.abort() })
    expect(report.next).toBeDefined()
    expect(report.checked.done).toBe(0)
  })

  it('says what it could not judge instead of counting a tenant for too long', async () => {
    const report = await damaged(
      `update counters set value = value + 1 where tenant = 'other' and name = 'actions.open'`,
      { limits: { exactRows: 1 } },
    )
    expect(report.findings).toEqual([])
    expect(report.unchecked).toContainEqual(expect.stringContaining('default/other'))
  })

  it.each(['', '[]', '{}', '["nothing"]', '[{}]'])('refuses %s as a place to go on from', async (after) => {
    await expect(look({ after })).rejects.toMatchObject({ code: 'invalid_cursor' })
  })

  it('B4: a lease that ran out is an error where somebody works, and a warning where nobody does', async () => {
    const late = `update actions set lease_until = 1 where status = 'running'`
    const { clock } = ground.inspector
    const worker = `insert into workers (id, started_at, seen_at, slots, version, host, types, definitions)
      values ('w', 1, ${await clock()}, 1, '1', 'h', '[]', '[]')`
    expect(await damaged(late)).toMatchObject({ isSound: true, findings: [{ severity: 'warning' }] })
    expect(await damaged(`${late}; ${worker}`)).toMatchObject({
      isSound: false,
      findings: [{ invariant: 'I7', severity: 'error' }],
    })
  })

  it('B4: judges leases by another clock when it is given one', async () => {
    const now = (await ground.inspector.clock()) + 7 * 86_400_000
    expect(await look({ now })).toMatchObject({ findings: [{ rule: 'lease_run_out' }] })
  })

  it('I12: finds a text that must be nowhere, in any table, and does not repeat it', async () => {
    const canary = 'hunter2"of\\the\nnight'
    const canaries = [canary]
    expect((await look({ canaries })).findings).toEqual([])
    const hide = (table: string, column: string) => async (hammer: Hammer) =>
      hammer.json(table, column, '1 = 1', (value) => ({ ...value, leak: { deep: [canary] } }))
    for (const [table, column] of [
      ['actions', 'plan'],
      ['actions_done', 'plan'],
      ['executions', 'variables'],
      ['timers', 'event'],
      ['definitions', 'content'],
    ] as const) {
      const { findings } = await ground.damaged(hide(table, column), () => look({ canaries }))
      const found = findings.filter(({ invariant }) => invariant === 'I12')
      expect(new Set(found.map(({ where }) => where.table)), table).toEqual(new Set([table]))
      expect(JSON.stringify(found)).not.toContain('hunter2')
    }
    const plain = await damaged(`update pauses set reason = 'it is plainsecret'`, {
      canaries: ['plainsecret'],
    })
    expect(plain.findings.map(({ where }) => where.table)).toContain('pauses')
  })

  it('I12: refuses a text that is too short to mean anything', async () => {
    await expect(look({ canaries: ['abc'] })).rejects.toMatchObject({ code: 'invalid_option' })
  })

  it('writes nothing', async () => {
    const before = await ground.changes()
    await look({ canaries: ['nothing like it'] })
    expect(await ground.changes()).toBe(before)
  })
})
