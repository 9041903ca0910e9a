import { expect, it } from 'vitest'
import { open } from '../../../test/sqlite/bed.ts'
import { OF } from '../../../test/sqlite/members.ts'
import { sql as texts } from './generated/sql.ts'
import { partsOf, timesOver } from './many.ts'
import { prepareStatements } from './statements.ts'

it.each([
  [0, []],
  [1, [1]],
  [3, [1, 1, 1]],
  [4, [4]],
  [7, [4, 1, 1, 1]],
  [16, [16]],
  [41, [16, 16, 4, 4, 1]],
])('%i rows are parts of few lengths, the longest first', (rows, parts) => {
  expect([...partsOf(rows)]).toEqual(parts)
})

it('what is said of one row is said of each, wherever it stands and whatever is done to its values; nothing else is', () => {
  expect(timesOver('insert into t (a, b)\nvalues (?, abs(?))', 3)).toBe(
    'insert into t (a, b)\nvalues (?, abs(?)), (?, abs(?)), (?, abs(?))',
  )
  expect(timesOver('with g (a) as (\n  values (?)\n)\nselect (a) from g where (1)', 2)).toBe(
    'with g (a) as (\n  values (?), (?)\n)\nselect (a) from g where (1)',
  )
})

it('every row is written with its own values, in its order, and all that were changed are counted', async () => {
  const { connection } = await open()
  const sql = prepareStatements(connection)
  for (const many of [0, 1, 5, 22]) {
    const rows = Array.from({ length: many }, (_, index) => ({
      ...OF,
      execution: `e${many}`,
      number: many - index,
      type: 'x',
      at: index,
      prev_hash: null,
      hash: null,
      data: `${index}`,
    }))
    expect(sql.insertEvent.list(rows)).toBe(many)
    const found = connection
      .prepare('select number, at, data from events where execution = ? order by seq')
      .all(`e${many}`)
    expect(found).toEqual(rows.map(({ number, at, data }) => ({ number, at, data })))
  }
})

it('the values of a statement of which many are written at once are one list, in the order of its parameters', () => {
  for (const name of ['insertExecution', 'insertEvent', 'insertSettled', 'settleActions'] as const) {
    const { text, params } = texts[name]
    const marks = (one: string): number => one.split('?').length - 1
    expect([name, marks(text), marks(timesOver(text, 5))]).toEqual([name, params.length, 5 * params.length])
  }
})
