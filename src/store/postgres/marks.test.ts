import { expect, it } from 'vitest'
import { createMarks, NO_MARK } from './marks.ts'

const rows = (lane: number, ...due: readonly number[]) =>
  due.map((due_at) => ({ lane, due_at, id: `a${due_at}` }))

it('a lane that gave all it was asked for is searched from where that ended', () => {
  const marks = createMarks()
  marks.learn([{ lane: 1, n: 3 }], rows(1, 10, 30, 20))
  expect([marks.of(1), marks.of(2)]).toMatchObject([{ due_at: 30, id: 'a30' }, NO_MARK])
})

it('of several that were due at one instant the last is where it ended', () => {
  const marks = createMarks()
  const given = ['b', 'c', 'a'].map((id) => ({ lane: 1, due_at: 7, id }))
  marks.learn([{ lane: 1, n: 3 }], given)
  expect(marks.of(1)).toMatchObject({ due_at: 7, id: 'c' })
})

it.each([[rows(1, 10, 20)], [[]]])('one that gave less is searched from its beginning', (given) => {
  const marks = createMarks()
  marks.learn([{ lane: 1, n: 1 }], rows(1, 5))
  marks.learn([{ lane: 1, n: 3 }], given)
  expect(marks.of(1)).toBe(NO_MARK)
})

it('what is forgotten is searched from its beginning', () => {
  const marks = createMarks()
  marks.learn([{ lane: 1, n: 1 }], rows(1, 5))
  marks.forget()
  expect(marks.of(1)).toBe(NO_MARK)
})

it('now and then it is searched from its beginning, however much it gives', () => {
  const marks = createMarks()
  const seen = Array.from({ length: 200 }, (_, due) => {
    marks.learn([{ lane: 1, n: 1 }], rows(1, due))
    return marks.of(1)
  })
  expect(seen.filter((mark) => mark === NO_MARK).length).toBeGreaterThan(1)
  expect(seen.filter((mark) => mark !== NO_MARK).length).toBeGreaterThan(180)
})
