import { expect, it } from 'vitest'
import type { Json, JsonObject } from '../../src/core/json.ts'
import { createOutbox } from '../../src/runners/outbox.ts'
import { perform } from '../../src/runners/perform.ts'
import { createTask } from '../../src/runners/task.ts'
import { seal } from '../../src/store/sqlite/sealed.ts'
import { at, DAY, HOUR, NOW, onEachShared, onEachStore } from '../engine/bed.ts'
import { machineIn } from './definitions.ts'
import { contexts, failureIn, KEY, resultIn } from './http/bed.ts'

const REPAIR = `
kind: machine
id: repair
initial: reported
states:
  reported: { on: { task_created: waiting, action.succeeded: wrong } }
  waiting:
    on:
      task_completed: { to: mended, of: call_plumber, set: { answer: '{{event.payload.result.answer}}' } }
      action.succeeded: wrong
  mended: { final: true }
  wrong: {}
actions:
  - actionId: call_plumber
    type: task
    triggerState: reported
    config:
      title: 'Call the plumber about {{execution.variables.unit}}'
      assignedTo: ada
      dueIn: 3d
      data: { unit: '{{execution.variables.unit}}' }
`

onEachStore('J-022: a task', (bed) => {
  const started = async () => {
    const pawl = await bed.open({ definitions: [machineIn(REPAIR)] })
    await pawl.start('repair', { id: 'r_1', variables: { unit: 4, answer: null } })
    await pawl.advance({ by: '1s' })
    const [task] = (await pawl.tasks.list()).data
    return { pawl, task: task! }
  }

  it('is a row that a person does, and its machine hears of both', async () => {
    const { pawl, task } = await started()
    expect(task).toEqual({
      id: expect.stringMatching(/^task_[a-z2-7]{26}$/),
      title: 'Call the plumber about 4',
      assignee: 'ada',
      status: 'open',
      dueAt: at(3 * DAY),
      data: { unit: 4 },
      actionId: expect.stringMatching(/^act_/),
      executionId: 'r_1',
      createdAt: at(0),
      namespace: 'default',
      tenant: 'default',
    })
    expect((await pawl.executions.get('r_1'))?.state).toBe('waiting')
    expect((await pawl.actions.get(task.actionId))?.result).toEqual({
      taskId: task.id,
      title: task.title,
      assignee: 'ada',
      dueAt: task.dueAt,
    })

    const completed = { result: { answer: 'tomorrow' }, by: 'grace' }
    const { task: done, repeated } = await pawl.tasks.complete(task.id, completed)
    expect(repeated).toBe(false)
    expect(done).toMatchObject({ status: 'done', completedBy: 'grace', result: { answer: 'tomorrow' } })
    expect(await pawl.tasks.get(task.id)).toEqual(done)
    expect(await pawl.executions.get('r_1')).toMatchObject({
      state: 'mended',
      status: 'completed',
      variables: { answer: 'tomorrow' },
    })
  })

  it('is done once: the same again is told as such, another result is a conflict', async () => {
    const { pawl, task } = await started()
    const both = await Promise.all([
      pawl.tasks.complete(task.id, { result: { answer: 1 } }),
      pawl.tasks.complete(task.id, { result: { answer: 1 } }),
    ])
    expect(both.map(({ repeated }) => repeated).sort()).toEqual([false, true])
    await expect(pawl.tasks.complete(task.id, { result: { answer: 2 } })).rejects.toMatchObject({
      code: 'task_conflict',
    })
    await expect(pawl.tasks.complete('task_none')).rejects.toMatchObject({ code: 'task_not_found' })
    await expect(pawl.tenant('other').tasks.complete(task.id)).rejects.toMatchObject({
      code: 'task_not_found',
    })
    expect(await pawl.tenant('other').tasks.get(task.id)).toBeUndefined()
    const history = (await pawl.executions.history('r_1')).data
    expect(JSON.stringify(history).match(/"type":"task_completed"/g)).toHaveLength(1)
  })

  it('is overdue when its time is past, by the engine’s clock', async () => {
    const { pawl, task } = await started()
    const listed = async (status: 'open' | 'overdue' | 'done') =>
      (await pawl.tasks.list({ status })).data.map(({ status: shown }) => shown)
    expect(await listed('overdue')).toEqual([])
    await pawl.advance({ by: '3d' })
    expect([await listed('open'), await listed('overdue')]).toEqual([['overdue'], ['overdue']])
    await pawl.tasks.complete(task.id)
    expect([await listed('open'), await listed('overdue'), await listed('done')]).toEqual([[], [], ['done']])
    expect((await pawl.tasks.list({ assignee: 'ada', execution: 'r_1' })).data).toHaveLength(1)
    expect((await pawl.tasks.list({ assignee: 'bob' })).data).toEqual([])
  })

  it('that is done is no second success of its action', async () => {
    const yaml = REPAIR.replace(/ {6}task_completed:.*\n/, '')
    const pawl = await bed.open({ definitions: [machineIn(yaml)] })
    await pawl.start('repair', { id: 'r_1', variables: { unit: 4, answer: null } })
    await pawl.advance({ by: '1s' })
    const [task] = (await pawl.tasks.list()).data
    await pawl.tasks.complete(task!.id)
    expect((await pawl.executions.get('r_1'))?.state).toBe('waiting')
  })

  it('of a paused execution is told when it goes on', async () => {
    const { pawl, task } = await started()
    await pawl.executions.pause('r_1')
    await pawl.tasks.complete(task.id, { result: { answer: 'x' } })
    expect((await pawl.executions.get('r_1'))?.state).toBe('waiting')
    await pawl.executions.resume('r_1')
    await pawl.advance({ by: '1s' })
    expect((await pawl.executions.get('r_1'))?.state).toBe('mended')
  })

  it('may be asked for without an execution', async () => {
    const pawl = await bed.open()
    await pawl.dispatch({ type: 'task', config: { title: 'Feed the cat' }, options: {} })
    await pawl.advance({ by: '1s' })
    const [task] = (await pawl.tasks.list()).data
    expect(task).toMatchObject({ title: 'Feed the cat', status: 'open' })
    expect((await pawl.tasks.complete(task!.id)).task.status).toBe('done')
  })
})

onEachShared('a task whose completing process dies', (bed) => {
  it('is told of by the next that works', async () => {
    const pawl = await bed.open({ definitions: [machineIn(REPAIR)] })
    await pawl.start('repair', { id: 'r_1', variables: { unit: 4, answer: null } })
    await pawl.advance({ by: '1s' })
    const [task] = (await pawl.tasks.list()).data
    // What is left when it dies between the row and the event.
    await bed.transact(async (client) => {
      const ending = { by: 'ada', result: { answer: 'left' } }
      if ('query' in (client as object))
        await (client as { query: (text: string, values: unknown[]) => Promise<unknown> }).query(
          `update pawl.tasks set status = 'done', completed_at = $1, ending = $2`,
          [NOW, JSON.stringify(ending)],
        )
      else {
        const db = client as {
          prepare: (text: string) => { run: (...values: (string | number)[]) => unknown }
        }
        db.prepare(`update tasks set status = 'done', completed_at = ?, ending = ?`).run(NOW, seal(ending))
      }
    })
    await pawl.advance({ by: '1h' })
    expect((await pawl.executions.get('r_1'))?.state).toBe('waiting')
    const stop = await pawl.work()
    await expect
      .poll(async () => (await pawl.executions.get('r_1'))?.state, { timeout: 20_000 })
      .toBe('mended')
    await stop()
    expect((await pawl.tasks.get(task!.id))?.completedBy).toBe('ada')
  })
})

const tasks: JsonObject[] = []
const outbox = createOutbox()
const runner = createTask({ add: async (_, task) => tasks.push({ ...task }), outbox, cost: 3 })
const attempt = (config: Json, over: { attempt?: number; provider?: string } = {}) =>
  perform(runner, { config, delivery: 'at_least_once', ctx: { ...contexts()({ now: () => NOW }), ...over } })

it('a repeated attempt makes the same task', async () => {
  tasks.length = 0
  for (const number of [1, 2]) resultIn(await attempt({ title: 'x' }, { attempt: number }))
  expect(tasks.map(({ id }) => id)).toEqual([`task_${KEY.slice(4)}`, `task_${KEY.slice(4)}`])
})

it.each([
  [{ dueDate: '2026-12-31' }, '2027-01-01T00:00:00.000Z'],
  [{ dueDate: '2026-12-31', zone: 'Europe/Berlin' }, '2026-12-31T23:00:00.000Z'],
  [{ dueDate: '2026-12-31T12:00:00+01:00' }, '2026-12-31T11:00:00.000Z'],
  [{ dueIn: '2h' }, new Date(NOW + 2 * HOUR).toISOString()],
  [{ dueIn: 1000 }, new Date(NOW + 1000).toISOString()],
  [{}, null],
])('%j is due %s', async (given, dueAt) => {
  expect(resultIn(await attempt({ title: 'x', ...given }))).toMatchObject({ dueAt })
})

it.each([
  [{}, 'title'],
  [{ title: '' }, 'title'],
  [{ title: 'x', assignee: 'a', assignedTo: 'b' }, 'assignedTo'],
  [{ title: 'x', dueIn: '1d', dueDate: '2026-01-01' }, 'dueIn'],
  [{ title: 'x', dueDate: '2026-02-30' }, 'dueDate'],
  [{ title: 'x', dueDate: 'tomorrow' }, 'dueDate'],
  [{ title: 'x', dueIn: 'soon' }, 'dueIn'],
  [{ title: 'x', zone: 'BST' }, 'zone'],
  [{ title: 'x', dueAt: '2026-01-01T00:00:00Z' }, 'dueDate or dueIn'],
  [{ title: 'x', titel: 'y' }, 'did you mean title?'],
])('F-044: %j is refused: %s', async (config, said) => {
  const { error, permanent } = failureIn(await attempt(config as Json))
  expect([error.type, permanent]).toEqual(['invalid_configuration', true])
  expect(error.message).toContain(said)
})

it('X-22: the sandbox keeps what would have been a task, at no cost', async () => {
  tasks.length = 0
  const { costEstimate } = await attempt({ title: 'x', provider: 'sandbox' })
  expect([tasks, costEstimate]).toEqual([[], 0])
  expect(await outbox.list({ namespace: 'default', tenant: 'default' }, 'task')).toMatchObject([
    { type: 'task', key: KEY, content: { title: 'x' } },
  ])
  expect((await attempt({ title: 'x' })).costEstimate).toBe(3)
})
