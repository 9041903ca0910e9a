// Definitions as people write them, for the cases of runners.

import { type ParsedMachine, parseDefinitions } from '../../src/definitions/parse.ts'

export const machineIn = (yaml: string): ParsedMachine => {
  const { definitions, problems } = parseDefinitions(yaml, { file: 'case.yaml' })
  const [first] = problems.filter(({ severity }) => severity === 'error')
  if (first !== undefined) throw new Error(`${first.path}: ${first.message}`)
  return definitions[0] as ParsedMachine
}
