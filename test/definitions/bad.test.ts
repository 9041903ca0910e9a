import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { distinctRecurrences } from '../../src/definitions/distinct.ts'
import { formatProblem } from '../../src/definitions/format-problem.ts'
import { linkActions } from '../../src/definitions/link-actions.ts'
import { parseDefinitions } from '../../src/definitions/parse.ts'

// Each file beside the text that a person sees. After a change: `vitest run test/definitions/bad.test.ts -u`, and then
// read every text that changed: would somebody at three in the morning know what to do?

const folder = new URL('./bad/', import.meta.url)
const files = readdirSync(folder).filter((file) => /\.(json|yaml)$/.test(file))
const textFor = (file: string) =>
  new URL(
    file.replace(/\.\w+$/, (extension) => `${extension}.txt`),
    folder,
  )
const missing = files.filter((file) => !existsSync(textFor(file)))

const told = (file: string): string => {
  const { definitions, problems } = parseDefinitions(readFileSync(new URL(file, folder), 'utf8'), { file })
  const machines = definitions.filter((each) => each.kind === 'machine')
  const actions = definitions.filter((each) => each.kind === 'action')
  const linked = machines.length === 0 ? [] : linkActions(machines, actions).problems
  const repeated = distinctRecurrences(definitions).problems
  return `${[...problems, ...linked, ...repeated].map(formatProblem).join('\n')}\n`
}

describe('definitions that are not right', () => {
  it('are many, and each has its text', () => {
    expect(files.length).toBeGreaterThanOrEqual(70)
    expect(missing).toEqual([])
    const texts = readdirSync(folder).filter((file) => file.endsWith('.txt'))
    expect(texts).toHaveLength(files.length)
  })

  it.each(files)('%s', async (file) => {
    const text = told(file)
    expect(text).toMatch(/^[✕!] /)
    expect(text).not.toMatch(/Invalid input|expected string, received|undefined|\[object|\n\s+at /)
    await expect(text).toMatchFileSnapshot(textFor(file).pathname)
  })
})
