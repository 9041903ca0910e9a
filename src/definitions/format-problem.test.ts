import { describe, expect, it } from 'vitest'
import { formatProblem } from './format-problem.ts'
import { problem } from './problem.ts'

describe('a problem as it is printed', () => {
  const found = problem(['steps', 'timelineRequest', 'at'], '“42 days befor at 9am” is not a time', {
    expected: 'N days|weeks before|after [at HH:MM]  or  on the day [at HH:MM]',
    suggestion: '42 days before at 09:00',
  })

  it('says where, what, what was expected and what is nearest', () => {
    expect(formatProblem({ ...found, file: 'templates/bad.yaml', line: 9, column: 9 })).toBe(
      [
        '✕ templates/bad.yaml:9:9  steps.timelineRequest.at  “42 days befor at 9am” is not a time',
        '    expected  N days|weeks before|after [at HH:MM]  or  on the day [at HH:MM]',
        '    did you mean  42 days before at 09:00',
      ].join('\n'),
    )
  })

  it('leaves out what is not known, and marks a warning', () => {
    expect(formatProblem(problem([], 'odd', { severity: 'warning' }))).toBe('! odd')
    expect(formatProblem(problem(['a', 0], 'odd'))).toBe('✕ a.0  odd')
  })
})
