// Owns how a problem is printed for a person: where, what, what was expected, and the nearest thing that exists.

import type { Place, Problem } from './problem.ts'

export const formatProblem = (found: Problem & Partial<Place>): string => {
  const { file, line, column, path, message, expected, suggestion, severity } = found
  const mark = severity === 'error' ? '✕' : '!'
  const place = file === undefined ? '' : `${file}:${line}:${column}`
  const head = [place, path, message].filter((part) => part !== '').join('  ')
  return [
    `${mark} ${head}`,
    ...(expected === undefined ? [] : [`    expected  ${expected}`]),
    ...(suggestion === undefined ? [] : [`    did you mean  ${suggestion}`]),
  ].join('\n')
}
