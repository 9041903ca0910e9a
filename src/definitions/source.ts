// Owns reading a text that holds definitions: which form it has, its documents, and where a problem in one of them
// stands as file, line and column. What the documents mean is parse.ts.

import { createBudget, MAX_TEXT_LENGTH } from './limits.ts'
import { type Marked, offsetOf } from './marks.ts'
import { type Place, type PlacedProblem, type Problem, problem } from './problem.ts'
import { readJson } from './read-json.ts'
import { readYaml } from './read-yaml.ts'
import { untilStopped } from './rejections.ts'

export type Format = 'json' | 'yaml'

export interface SourceDocument {
  readonly value: Marked['value']
  readonly place: (problem: Problem) => PlacedProblem
}

export interface Source {
  readonly documents: readonly SourceDocument[]
  readonly problems: readonly PlacedProblem[]
}

export const readSource = (text: string, file: string, format: Format = formatOf(file, text)): Source => {
  if (text.length > MAX_TEXT_LENGTH) return { documents: [], problems: [tooLarge(text, file)] }
  const placeOf = placesIn(text, file)
  if (/^\s*$/.test(text)) return { documents: [], problems: [{ ...NOTHING, ...placeOf(0) }] }
  const budget = createBudget()
  const read = format === 'json' ? readJson : readYaml
  const documents = untilStopped(() => read(text, budget)) ?? []
  const rejected = budget.rejections.map((rejection) => ({
    ...rejection.problem,
    ...placeOf(rejection.offset),
  }))
  const isBlank = documents.length === 0 && rejected.length === 0
  return {
    documents: documents.map(({ value, mark }) => ({
      value,
      place: (found) => ({ ...found, ...placeOf(offsetOf(mark, found.at, found.point)) }),
    })),
    problems: isBlank ? [{ ...NOTHING, ...placeOf(0) }] : rejected,
  }
}

const NOTHING = problem([], 'the file holds no definition', {
  expected: 'an object with kind and id, or an action with actionId',
})

const tooLarge = (text: string, file: string): PlacedProblem => ({
  ...problem([], `the text is ${text.length} characters long`, {
    code: 'payload_too_large',
    expected: `at most ${MAX_TEXT_LENGTH}; split it into several files`,
  }),
  file,
  line: 1,
  column: 1,
})

const formatOf = (file: string, text: string): Format => {
  if (/\.json$/i.test(file)) return 'json'
  if (/\.ya?ml$/i.test(file)) return 'yaml'
  return /^[\s\uFEFF]*[{[]/.test(text) ? 'json' : 'yaml'
}

/** Lines end with \n, also after \r; columns count UTF-16 units, as editors do. */
const placesIn = (text: string, file: string): ((offset: number) => Place) => {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return (offset) => {
    const line = lastAtMost(starts, Math.min(offset, text.length))
    return { file, line: line + 1, column: Math.min(offset, text.length) - starts[line]! + 1 }
  }
}

/** The index of the last number that is not above the limit; the first never is. */
const lastAtMost = (sorted: readonly number[], limit: number): number => {
  let low = 0
  let high = sorted.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (sorted[middle]! <= limit) low = middle
    else high = middle - 1
  }
  return low
}
