// The harness on trial itself: on a tiny module whose mutants are known, then on a small sample of the real ones.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { runCampaign } from './campaign.ts'
import { EQUIVALENT, type Equivalent } from './equivalent.ts'
import { draw, type Field, jobsOf } from './jobs.ts'
import { mutantsOf } from './operators.ts'
import { ROOT, TARGETS } from './targets.ts'
import { createTrial } from './trial.ts'

const folder = mkdtempSync(join(tmpdir(), 'pawl-mutants-'))
afterAll(() => {
  rmSync(folder, { recursive: true })
})

/** `lower` is tested at its border, `upper` is not; one mutant never ends, one ends the process. */
const SOURCE = `import { LIMIT } from './limit.ts'
export const lower = (n: number): boolean => n < LIMIT
export const upper = (n: number): boolean => n > LIMIT
export const count = (n: number): number => {
  let i = 0
  while (i < n) i++
  return i
}
export const leave = (end: () => void): void => {
  if (LIMIT > 99) end()
}
`
const TEST = `import { expect, it } from 'vitest'
import { count, leave, lower, upper } from './source.ts'
it.each([[9, true], [10, false], [11, false]])('lower', (n, is) => { expect(lower(n)).toBe(is) })
it('upper', () => { expect([upper(5), upper(15)]).toEqual([false, true]) })
it('count', async () => { expect(count(3)).toBe(3) })
it('leave', () => { leave(() => process.exit(3)) })
`

const write = (name: string, files: Readonly<Record<string, string>>): string => {
  const root = join(folder, name)
  mkdirSync(root)
  for (const [file, text] of Object.entries(files)) writeFileSync(join(root, file), text)
  return root
}

const place = (name: string, files: Readonly<Record<string, string>>): Field => {
  const root = write(name, { 'limit.ts': 'export const LIMIT = 10\n', ...files })
  return {
    root,
    targets: [{ file: join(root, 'source.ts'), tests: [join(root, 'source.spec.ts')] }],
    equivalent: [],
  }
}

const field = place('fixture', { 'source.ts': SOURCE, 'source.spec.ts': TEST })

describe('the harness', () => {
  it('reports exactly the mutants that live, and survives those that do not end or end its process', async () => {
    const seen: string[] = []
    const summary = await runCampaign({
      ...field,
      onVerdict: (_, __, { mutant }, verdict) => {
        if (verdict.kind === 'killed') seen.push(`${mutant.line} ${mutant.replacement} by ${verdict.by}`)
      },
    })
    expect(summary.survivors).toEqual([
      { at: 'source.ts:3:46', original: 'n > LIMIT', replacement: '((n) >= (LIMIT))' },
      { at: 'source.ts:5:11', original: '0', replacement: '(1)' },
      { at: 'source.ts:5:11', original: '0', replacement: '(-1)' },
      { at: 'source.ts:10:7', original: 'LIMIT > 99', replacement: 'false' },
      { at: 'source.ts:10:7', original: 'LIMIT > 99', replacement: '((LIMIT) >= (99))' },
      { at: 'source.ts:10:15', original: '99', replacement: '(100)' },
      { at: 'source.ts:10:15', original: '99', replacement: '(98)' },
      { at: 'source.ts:10:19', original: 'end()', replacement: ';' },
    ])
    expect(summary).toMatchObject({ generated: 19, total: 19, killed: 11, survived: 8, equivalent: 0 })
    expect(seen).toContain('6 true by count')
    expect(seen).toContain('10 true by the end of its process')
    expect(seen).toContain('2 ((n) <= (LIMIT)) by lower #1')
  })

  it('leaves out what is known to change nothing, and refuses such an entry when it fits no mutant', () => {
    const border: Equivalent = {
      file: 'source.ts',
      line: 'export const upper = (n: number): boolean => n > LIMIT',
      original: 'n > LIMIT',
      replacement: '((n) >= (LIMIT))',
      reason: 'an example',
    }
    const all = jobsOf(field).jobs
    const { jobs, excused } = jobsOf({ ...field, equivalent: [border] })
    expect([all.length, jobs.length, excused]).toEqual([19, 18, 1])
    expect(jobs.filter(({ mutant }) => mutant.line === 3).map(({ mutant }) => mutant.replacement)).toEqual([
      '((n) <= (LIMIT))',
    ])
    expect(() => jobsOf({ ...field, equivalent: [{ ...border, original: 'n < LIMIT' }] })).toThrow(
      'no mutant is n < LIMIT → ((n) >= (LIMIT)) on "export const upper',
    )
    expect(jobsOf({ ...field, equivalent: [{ ...border, file: 'other.ts' }] }).excused).toBe(0)
  })

  it('sees a mutant in what a module computes when it is loaded', async () => {
    const { targets } = place('static', {
      'source.ts': "export const TABLE = new Map([['a', 1]])\n",
      'source.spec.ts': `import { expect, it } from 'vitest'
        import { TABLE } from './source.ts'
        it('t', () => { expect(TABLE.get('a')).toBe(1) })`,
    })
    const target = targets[0]!
    const text = readFileSync(target.file, 'utf8')
    const trial = await createTrial(target.tests)
    const mutants = mutantsOf(target.file, text)
    expect(mutants).toHaveLength(3)
    for (const mutant of mutants) expect(await trial.judge(text, mutant)).toMatchObject({ kind: 'killed' })
    const broken = { ...mutants[0]!, replacement: '((' }
    expect(await trial.judge(text, broken)).toMatchObject({ kind: 'invalid' })
    expect(await trial.judge(`${text}\n`, mutants[0]!)).toMatchObject({
      kind: 'invalid',
      by: `${target.file} was changed meanwhile, or no test imports it`,
    })
  })

  it.each([
    [
      'fails',
      "import { expect, it } from 'vitest'\nit('t', () => { expect(1).toBe(2) })",
      'expected 1 to be 2',
    ],
    ['is not there', '', 'no tests in'],
    [
      'uses what the harness does not know',
      "import { it } from 'vitest'\nit.concurrent('t', () => {})",
      '.concurrent of a test is not supported here',
    ],
    [
      'prepares itself',
      "import { beforeEach } from 'vitest'\nbeforeEach(() => {})",
      'beforeEach() is not supported here',
    ],
  ])('refuses to judge by a test that %s', async (name, test, message) => {
    const { targets } = place(name.replaceAll(' ', '-'), {
      'source.ts': 'export const a = 1\n',
      'source.spec.ts': test,
    })
    await expect(createTrial(targets[0]!.tests)).rejects.toThrow(message)
  })

  it('draws the same sample by the same seed, another by another, in order', () => {
    const items = Array.from({ length: 100 }, (_, index) => index)
    const sample = draw(items, 10, 1)
    expect(sample).toHaveLength(10)
    expect(sample).toEqual([...sample].sort((a, b) => a - b))
    expect(draw(items, 10, 1)).toEqual(sample)
    expect(draw(items, 10, 2)).not.toEqual(sample)
    expect(draw(items, 200, 1)).toEqual(items)
  })

  it('draws from every group before twice from any', () => {
    const items = Array.from({ length: 100 }, (_, index) => index)
    const groupOf = (item: number): number => Number(item > 2) + Number(item > 97)
    expect(draw(items, 6, 1, groupOf).map(groupOf)).toEqual([0, 0, 1, 1, 2, 2])
  })
})

describe('the mutants of the core', () => {
  it('in a small sample, are all killed by the tests of their own module', async () => {
    const sampled = ['src/core/retry.ts', 'src/core/settle.ts', 'src/core/planner.ts']
    const targets = TARGETS.filter(({ file }) => sampled.includes(relative(ROOT, file)))
    expect(targets).toHaveLength(sampled.length)
    const summary = await runCampaign({
      root: ROOT,
      targets,
      equivalent: EQUIVALENT,
      sample: { size: 40, seed: 1 },
    })
    expect(summary.survivors).toEqual([])
    expect(summary).toMatchObject({ total: 40, killed: 40 })
  })
})
