// Owns `pawl doctor`: what a person would check by hand before asking for help, each with what to do. It changes nothing.

import type { Command } from 'commander'
import { examples, remote, run, sub } from './command.ts'
import type { Check } from './doctor-checks.ts'
import { EXIT } from './fail.ts'
import { plainText } from './output.ts'
import type { Session } from './session.ts'

const MARKS = {
  ok: ['green', '✓'],
  warning: ['yellow', '!'],
  error: ['red', '✕'],
  unknown: ['dim', '–'],
} as const

const examine = async (session: Session): Promise<number> => {
  const { terminal, output } = session
  const { checks } = await import('./doctor-checks.ts')
  const found: Check[] = []
  for (const check of checks(session)) found.push(...(await check()))
  const lines = found.flatMap(({ name, status, text, advice }) => {
    const [colour, mark] = MARKS[status]
    return [
      `${terminal.style(colour, mark)} ${name.padEnd(12)} ${plainText(text)}`,
      ...(advice === undefined ? [] : [`  ${' '.repeat(12)} → ${advice}`]),
    ]
  })
  if (output.isJson) output.rows(found, [])
  else for (const line of lines) terminal.print(line)
  const errors = found.filter(({ status }) => status === 'error').length
  terminal.say(errors === 0 ? 'nothing is in the way' : `${errors} in the way`)
  return errors === 0 ? EXIT.ok : EXIT.failed
}

export const addDoctor = (program: Command): void => {
  const command = remote(sub(program, 'doctor', 'Check this machine, the settings and the store'))
    .option('--definitions <path>', 'a directory or a file of definitions')
    .action(run(examine))
  examples(command, 'pawl doctor', 'pawl doctor --store postgres://… --json name,status,advice')
}
