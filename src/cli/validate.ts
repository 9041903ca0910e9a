// Owns `pawl validate`: reads definitions and says all that is wrong with them. Nothing is sent anywhere.

import type { Command } from 'commander'
import { formatProblem } from '../definitions/format-problem.ts'
import { examples, run, sub } from './command.ts'
import { EXIT } from './fail.ts'
import { setting } from './given.ts'
import type { ReadDefinitions } from './read-definitions.ts'
import type { Session } from './session.ts'

/** The files a command names, else the directory of the settings, else the one it stands in. */
export const pathsOf = (session: Session, files: readonly string[]): readonly string[] =>
  files.length > 0 ? files : [setting<string>(session, 'definitions') ?? '.']

export const countErrors = ({ problems }: ReadDefinitions): number =>
  problems.filter(({ severity }) => severity === 'error').length

const many = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`

/** Says every problem; answers how many are errors. */
export const tellProblems = ({ terminal }: Session, read: ReadDefinitions): number => {
  for (const problem of read.problems) terminal.say(formatProblem(problem))
  return countErrors(read)
}

const validate = async (session: Session, ...files: string[]): Promise<number> => {
  const { output, terminal } = session
  const [{ readDefinitions }, { checkConfigs }] = await Promise.all([
    import('./read-definitions.ts'),
    import('./check-configs.ts'),
  ])
  const read = await checkConfigs(session, await readDefinitions(pathsOf(session, files), session.cwd))
  const errors = countErrors(read)
  const rows = read.problems.map(({ at: _, point: __, ...told }) => told)
  if (output.isJson) output.rows(rows, [])
  else for (const problem of read.problems) terminal.print(formatProblem(problem))
  const definitions = read.parsed.length + read.coded.length
  terminal.say(
    `${many(read.files.length, 'file')}, ${many(definitions, 'definition')}, ${many(errors, 'error')}`,
  )
  return errors > 0 ? EXIT.usage : EXIT.ok
}

export const addValidate = (program: Command): void => {
  const command = sub(program, 'validate [files...]', 'Read definitions and say what is wrong with them')
    .option('--definitions <path>', 'a directory or a file')
    .action(run(validate))
  examples(command, 'pawl validate definitions/', 'pawl validate lease.yaml --json file,line,message')
}
