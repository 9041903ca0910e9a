import { expect, it } from 'vitest'
import { countingOf, createTallies } from './tallies.ts'

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const news = (count: number, isTallied = true) => Array.from({ length: count }, () => ({ isTallied }))

const make = () => {
  const asked: number[] = []
  const answers: PromiseWithResolvers<void>[] = []
  const { wrote, close } = createTallies((limit) => {
    asked.push(limit)
    const answer = Promise.withResolvers<void>()
    answers.push(answer)
    return answer.promise
  })
  return { asked, answers, wrote, close }
}

it('what has room on a receipt is added to the counters, more than that is a tally', () => {
  const count = { namespace: 'n', tenant: 't', name: 'actions.open', bucket: 0, value: 1 }
  const many = (length: number) => Array.from({ length }, () => count)
  expect([0, 1, 8, 9].map((length) => countingOf(many(length)))).toEqual([
    'bumpCounters',
    'bumpCounters',
    'bumpCounters',
    'insertTally',
  ])
})

it('after 32 that were written they are folded, some more if there are more; others do not count', async () => {
  const { asked, answers, wrote } = make()
  wrote(news(31))
  wrote(news(40, false))
  expect(asked).toEqual([])
  wrote(news(1))
  expect(asked).toEqual([64])
  answers[0]!.resolve()
  await turn()
  wrote(news(31))
  expect(asked).toEqual([64])
  wrote(news(1))
  expect(asked).toEqual([64, 64])
})

it('one fold at a time; what is written meanwhile is folded with what comes after it', async () => {
  const { asked, answers, wrote } = make()
  wrote(news(32))
  wrote(news(32))
  expect(asked).toHaveLength(1)
  answers[0]!.resolve()
  await turn()
  wrote(news(0))
  expect(asked).toHaveLength(2)
})

it('a fold that fails is nobody’s failure, and the next one comes', async () => {
  const { asked, answers, wrote, close } = make()
  wrote(news(32))
  answers[0]!.reject(new Error('no connection'))
  await close()
  wrote(news(32))
  expect(asked).toHaveLength(2)
})

it('whoever closes waits for the fold that is under way', async () => {
  const { answers, wrote, close } = make()
  await close()
  wrote(news(32))
  let isClosed = false
  const closing = close().then(() => {
    isClosed = true
  })
  await turn()
  expect(isClosed).toBe(false)
  answers[0]!.resolve()
  await closing
})
