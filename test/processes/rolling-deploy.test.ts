// Old and new versions of one definition at work at once: nothing is lost, nothing goes back.

import { describe, expect, it } from 'vitest'
import type { HistoryRow } from '../../src/store/reader.ts'
import { makeBed, STORES, until } from './bed.ts'

const RUNS = Array.from({ length: 20 }, (_, n) => `w_${n}`)

const stepsOf = (lines: readonly HistoryRow[]): readonly HistoryRow[] =>
  lines.filter(({ type }) => type === 'execution.transitioned')

const movesOf = (lines: readonly HistoryRow[]): readonly string[] =>
  lines.filter(({ type }) => type === 'execution.moved').map(({ data }) => `${data['from']} → ${data['to']}`)

describe.each(STORES)('a rolling deploy, on %s', (store) => {
  it('F38: executions follow the new version and none moves back while it is alive', async () => {
    const { pawl, child, history, report } = await makeBed(store)
    const old = await child({ definitions: ['walk 1'], work: {} })
    for (const id of RUNS) await old.ask({ verb: 'start', definition: 'walk', id, variables: {} })
    const before = (await pawl.executions.get(RUNS[0]!))!.version
    const part = { definitions: ['walk 2'], work: { signals: true } }
    const young = await child(part)
    for (const id of RUNS) await young.ask({ verb: 'send', execution: id, type: 'go', id: 'e_1' })
    for (const id of RUNS) await old.ask({ verb: 'send', execution: id, type: 'go', id: 'e_2' })
    await until(async () => {
      for (const id of RUNS) expect(stepsOf(await history(id))).toHaveLength(3)
    })
    const after = (await pawl.executions.get(RUNS[0]!))!.version
    for (const id of RUNS) expect(movesOf(await history(id))).toEqual([`${before} → ${after}`])

    // The new one is gone and has said so: the old one takes an execution back, until the new one is there again.
    await young.end('SIGTERM')
    await old.ask({ verb: 'send', execution: RUNS[0]!, type: 'go', id: 'e_3' })
    await until(async () => expect(movesOf(await history(RUNS[0]!))).toHaveLength(2))
    const again = await child(part)
    await again.ask({ verb: 'send', execution: RUNS[0]!, type: 'go', id: 'e_4' })
    await old.ask({ verb: 'send', execution: RUNS[0]!, type: 'go', id: 'e_5' })
    await until(async () => expect(stepsOf(await history(RUNS[0]!))).toHaveLength(6))
    const moves = movesOf(await history(RUNS[0]!))
    expect(moves).toEqual([`${before} → ${after}`, `${after} → ${before}`, `${before} → ${after}`])
    report(`rolling deploy: ${RUNS.length} executions moved once, none back while the new version was alive`)
  })

  it('F38: a state that is gone fails the execution; a version that has it again goes on', async () => {
    const { pawl, child, report } = await makeBed(store)
    const first = await child({ definitions: ['walk 1'], work: {} })
    await first.ask({ verb: 'start', definition: 'walk', id: 'w_1', variables: {} })
    await first.ask({ verb: 'send', execution: 'w_1', type: 'go', id: 'e_1' })
    await first.end('SIGKILL')
    const without = await child({ definitions: ['walk 3'], work: {} })
    await without.ask({ verb: 'send', execution: 'w_1', type: 'turn', id: 'e_2' })
    await until(async () =>
      expect(await pawl.executions.get('w_1')).toMatchObject({
        status: 'failed',
        state: 'b',
        error: { code: 'definition_incompatible' },
      }),
    )
    await without.end('SIGKILL')

    const again = await child({ definitions: ['walk 4'], work: {} })
    await again.ask({ verb: 'resume', execution: 'w_1' })
    await until(async () =>
      expect(await pawl.executions.get('w_1')).toMatchObject({ status: 'completed', state: 'c' }),
    )
    report('a state that is gone: failed: definition_incompatible, then resumed to its end')
  })
})
