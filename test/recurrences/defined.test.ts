// Recurrences that come from definitions, on each store: they begin by themselves, follow new versions, and stop.

import { expect, it } from 'vitest'
import { loadDefinition, type ParsedRecurrence } from '../../src/definitions/parse.ts'
import { recurring } from '../../src/index.ts'
import { at, DAY, HOUR, MINUTE, onEachShared, onEachStore } from '../engine/bed.ts'
import { spy } from '../engine/spies.ts'

const DIGEST = {
  kind: 'recurring',
  id: 'digest',
  cron: '*/10 * * * *',
  timezone: 'UTC',
  catchUp: 'none',
  action: { type: 'note', config: { text: '{{recurring_id}} {{execution_time}}' } },
}

const parsed = (more: object = {}): ParsedRecurrence => {
  const { definitions, problems } = loadDefinition({ ...DIGEST, ...more })
  expect(problems).toEqual([])
  return definitions[0] as ParsedRecurrence
}

onEachStore('recurrences from definitions', (bed) => {
  it('given to a running Pawl it begins at once; a new version is planned anew; the same again changes nothing', async () => {
    const note = spy('note')
    const pawl = await bed.open({ runners: [note] })
    expect(await pawl.define(DIGEST)).toMatchObject({ kind: 'recurrence', version: 1, isNew: true })
    expect(await pawl.recurring.get('digest')).toMatchObject({ enabled: true, nextAt: at(10 * MINUTE) })
    await pawl.advance({ by: 10 * MINUTE })
    expect(note.calls.map(({ config }) => config)).toEqual([{ text: `digest ${at(10 * MINUTE)}` }])
    expect(await pawl.define({ ...DIGEST, cron: '0 * * * *' })).toMatchObject({ version: 2, isNew: true })
    expect(await pawl.recurring.get('digest')).toMatchObject({
      nextAt: at(HOUR),
      executionCount: 1,
      settings: { cron: '0 * * * *', misfire: 'skip' },
    })
    const before = (await pawl.executions.history('digest')).data.length
    expect(await pawl.define({ ...DIGEST, cron: '0 * * * *' })).toMatchObject({ version: 2, isNew: false })
    expect((await pawl.executions.history('digest')).data).toHaveLength(before)
    expect(await pawl.definitions({ kind: 'recurrence' })).toMatchObject([
      { id: 'digest', version: 2, content: { kind: 'recurrence', cron: '0 * * * *' } },
    ])
    expect((await pawl.verify()).findings).toEqual([])
  })

  it('people may switch it, not change it; what they switched off stays off in a new version', async () => {
    const pawl = await bed.open({ runners: [spy('note')] })
    await pawl.define(DIGEST)
    await expect(pawl.recurring.update('digest', { cron: '0 * * * *' })).rejects.toMatchObject({
      code: 'recurrence_conflict',
    })
    await pawl.recurring.pause('digest')
    await pawl.define({ ...DIGEST, cron: '0 * * * *' })
    expect(await pawl.recurring.get('digest')).toMatchObject({ enabled: false, nextAt: null })
    await pawl.define({ ...DIGEST, enabled: true })
    expect(await pawl.recurring.get('digest')).toMatchObject({ enabled: true, nextAt: at(10 * MINUTE) })
  })

  it('removed it stops; defined again, the same or another, it goes on under its id', async () => {
    const note = spy('note')
    const pawl = await bed.open({ runners: [note] })
    await pawl.define(DIGEST)
    await pawl.recurring.remove('digest')
    expect(await pawl.recurring.get('digest')).toBeUndefined()
    expect((await pawl.recurring.list()).data).toEqual([])
    await pawl.advance({ by: DAY })
    expect(note.calls).toEqual([])
    await pawl.define(DIGEST)
    await pawl.advance({ by: 10 * MINUTE })
    expect(note.calls).toHaveLength(1)
  })

  it('an id is one thing: no machine’s, no recurrence’s of code', async () => {
    const note = spy('note')
    const coded = recurring({
      id: 'digest',
      cron: '0 * * * *',
      timezone: 'UTC',
      do: () => note({ text: 'x' }),
    })
    const pawl = await bed.open({ runners: [note], definitions: [coded] })
    await expect(pawl.define(DIGEST)).rejects.toMatchObject({ code: 'recurrence_conflict' })
    await expect(pawl.recurring.update('digest', { cron: '1 * * * *' })).rejects.toMatchObject({
      code: 'recurrence_conflict',
    })
    await pawl.recurring.remove('digest')
    await pawl.advance({ by: DAY })
    expect(note.calls).toEqual([])
  })

  it('what its runner would refuse is refused when it is defined, and nothing begins', async () => {
    const pawl = await bed.open({})
    const wrong = { ...DIGEST, action: { type: 'webhook', config: { url: 5 } } }
    await expect(pawl.define(wrong)).rejects.toMatchObject({ code: 'config_invalid' })
    expect(await pawl.recurring.get('digest')).toBeUndefined()
  })
})

onEachShared('programs that bring recurrences along', (bed) => {
  it('begin them once, follow a newer version, and never go back to an older one by themselves', async () => {
    const note = spy('note')
    const open = (more: object) => bed.open({ runners: [note], definitions: [parsed(more)] })
    const first = await open({})
    const again = await open({})
    expect(await again.recurring.get('digest')).toMatchObject({ nextAt: at(10 * MINUTE) })
    await open({ cron: '0 * * * *' })
    expect(await first.recurring.get('digest')).toMatchObject({ nextAt: at(HOUR) })
    await open({})
    expect(await first.recurring.get('digest')).toMatchObject({ nextAt: at(HOUR) })
    expect(bed.lines).toContainEqual(
      expect.objectContaining({ level: 'warn', fields: { definition: 'digest' } }),
    )
    await first.recurring.remove('digest')
    await open({ cron: '0 * * * *' })
    expect(await first.recurring.get('digest')).toBeUndefined()
    await open({ cron: '30 * * * *' })
    expect(await first.recurring.get('digest')).toMatchObject({ nextAt: at(30 * MINUTE) })
  })

  it('in code: changed it is planned anew; vanished, it waits for a process that has it', async () => {
    const note = spy('note')
    const hourly = (minute: number) =>
      recurring({ id: 'hourly', cron: `${minute} * * * *`, timezone: 'UTC', do: () => note({ text: 'x' }) })
    const first = await bed.open({ runners: [note], definitions: [hourly(0)] })
    expect(await first.recurring.get('hourly')).toMatchObject({ nextAt: at(HOUR) })
    await first.close()
    const second = await bed.open({ runners: [note], definitions: [hourly(30)] })
    expect(await second.recurring.get('hourly')).toMatchObject({ nextAt: at(30 * MINUTE) })
    await second.close()
    const without = await bed.open({ runners: [note] })
    await without.advance({ by: 2 * HOUR })
    expect(note.calls).toEqual([])
    await without.close()
    const back = await bed.open({ runners: [note], definitions: [hourly(30)] })
    await back.advance({ by: 30 * MINUTE })
    expect(note.calls.map((call) => call.at)).toEqual([Date.parse(at(150 * MINUTE))])
    const { data } = await back.recurring.history('hourly')
    expect(data.map(({ at: when, fate, reason }) => [when, reason ?? fate])).toEqual([
      [at(150 * MINUTE), 'fired'],
      [at(90 * MINUTE), 'missed'],
      [at(30 * MINUTE), 'missed'],
    ])
  })
})
