// Owns `pawl config print`: every setting, what holds, and who said so. Secrets are not shown.

import type { Command } from 'commander'
import { SETTINGS, variableOf } from '../config/settings.ts'
import { group, run, sub } from './command.ts'
import type { Session } from './session.ts'
import { shownStore } from './shown-store.ts'

const HIDDEN = '••••'
/** Sections whose values are shown as settings are; of the others only the names. */
const SHOWN = ['limits', 'alerts']

const sectionVariableOf = (key: string): string =>
  `PAWL_${key.replaceAll('*', 'all').replace(/[A-Z]/g, '_$&').replaceAll('.', '__').toUpperCase()}`

const shown = (value: unknown): string =>
  typeof value === 'string'
    ? shownStore(value)
    : Array.isArray(value)
      ? value.join(', ')
      : JSON.stringify(value)

const print = async ({ settings, sections, flow, output, options, terminal }: Session): Promise<void> => {
  const rows = SETTINGS.map(({ key, isSecret, help }) => {
    const found = settings.get(key)
    const value = found === undefined ? null : isSecret ? HIDDEN : found.value
    return { key, value, source: found?.source ?? 'not set', variable: variableOf(key), help }
  })
  for (const [key, { value, source }] of flow.said)
    rows.push({ key, value, source, variable: sectionVariableOf(key), help: '' })
  const withSources = options['sources'] === true
  output.rows(rows, [
    { title: 'SETTING', text: ({ key }) => key },
    { title: 'VALUE', text: ({ value }) => (value === null ? terminal.style('dim', '–') : shown(value)) },
    ...(withSources
      ? [
          { title: 'SOURCE', text: ({ source }: (typeof rows)[number]) => source },
          {
            title: 'VARIABLE',
            text: ({ variable }: (typeof rows)[number]) => terminal.style('dim', variable),
          },
        ]
      : []),
  ])
  for (const [name, section] of Object.entries(sections).filter(([name]) => !SHOWN.includes(name)))
    terminal.say(`${name}: ${Object.keys(section).join(', ')}`)
}

export const addConfig = (program: Command): void => {
  const config = group(program, 'config', 'The settings that hold here')
  sub(config, 'print', 'Print every setting and what it is')
    .option('--sources', 'say who set it: a flag, a variable, a file or nobody')
    .action(run(print))
}
