import { describe, expect, it } from 'vitest'
import { mutantsOf, mutate } from './operators.ts'

const replaced = (code: string): readonly string[] =>
  mutantsOf('x.ts', code).map((mutant) => mutate(code, mutant))

describe('the mutants of', () => {
  it.each([
    ['a comparison', 'f(a < b)', [';', 'f(((a) <= (b)))', 'f(((a) >= (b)))']],
    ['an equality', 'const c = a === b', ['const c = ((a) !== (b))']],
    ['an addition', 'const c = a + b', ['const c = ((a) - (b))']],
    ['a joined text', "const c = 'a b' + b", []],
    ['a shift', 'const c = a << b', ['const c = ((a) >> (b))']],
    ['a conjunction', 'const c = a && b', ['const c = ((a) || (b))']],
    ['a conjunction that is a statement', 'x\na && f()', [';\na && f()', 'x\n;', 'x\n;((a) || (f()))']],
    ['a default', 'const c = a ?? b', ['const c = (a)', 'const c = (b)']],
    ['a negation', 'const c = !a', ['const c = (a)']],
    ['a negative', 'const c = -a', ['const c = (a)']],
    ['a step', 'i++', [';', ';i--']],
    ['an assignment', 'i += j', [';', ';i -= j']],
    ['a condition', 'if (a) f()', ['if (true) f()', 'if (false) f()', 'if (!(a)) f()', 'if (a) ;']],
    [
      'a compared condition',
      'const c = a > b ? x : y',
      [
        'const c = true ? x : y',
        'const c = false ? x : y',
        'const c = ((a) >= (b)) ? x : y',
        'const c = ((a) <= (b)) ? x : y',
      ],
    ],
    ['a loop', 'while (a) {}', ['while (true) {}', 'while (false) {}', 'while (!(a)) {}']],
    ['a loop without end', 'for (;;) {}', []],
    [
      'numbers',
      'const c = [1_000, x[2]]',
      [
        'const c = [(1001), x[2]]',
        'const c = [(999), x[2]]',
        'const c = [1_000, x[(3)]]',
        'const c = [1_000, x[(1)]]',
      ],
    ],
    ['booleans', 'const c = [true, false]', ['const c = [false, false]', 'const c = [true, true]']],
    ['a word', "const c = 'timeout'", ["const c = ''"]],
    ['a message', "const c = 'it timed out'", []],
    ['an empty text', "const c = ''", []],
    ['names of members', "const c = { 'a-b': x, 7: y }", []],
    ['a rounding', 'const c = Math.floor(a)', ['const c = Math.ceil(a)']],
    ['a bound', 'const c = Math.min(a, b)', ['const c = Math.max(a, b)']],
    ['a method of that name elsewhere', 'const c = a.min(b)', []],
    ['a quantifier', 'const c = a.some(f)', ['const c = a.every(f)']],
    ['types', "type T = 1 | 'a' | true; interface I { a: 2 }; const c = a as 'b'", []],
    ['imports', "import { a } from './b.ts'; export { c } from './d.ts'", []],
  ])('%s', (_, code, expected) => {
    expect(replaced(code)).toEqual(expected)
  })

  it('say where they are', () => {
    const [mutant] = mutantsOf('src/x.ts', 'const a = 1\n  const b = c < d\n').slice(2)
    expect(mutant).toEqual({
      file: 'src/x.ts',
      line: 2,
      column: 13,
      start: 24,
      end: 29,
      original: 'c < d',
      replacement: '((c) <= (d))',
    })
  })
})
