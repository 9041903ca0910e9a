// Owns checking the configs of actions in files by the runners that are known: the built-in ones, and those that code beside
// the files brings. Of any other type nothing is said: a worker elsewhere may know it. Nothing is sent anywhere.

import { createEgress } from '../egress/egress.ts'
import { rulesOf } from '../pawl/runner-rules.ts'
import { withBuiltIns } from '../pawl/with-built-ins.ts'
import { templatesIn } from '../runners/email/templates.ts'
import { createOutbox } from '../runners/outbox.ts'
import type { Given } from './given.ts'
import type { ReadDefinitions } from './read-definitions.ts'

export const checkConfigs = async (
  { code, env }: Pick<Given, 'code' | 'env'>,
  read: ReadDefinitions,
): Promise<ReadDefinitions> => {
  const egress = createEgress()
  const runners = withBuiltIns({ runners: [...code.runners, ...read.runners], provider: 'sandbox' }, env, {
    egress,
    outbox: createOutbox(),
    templates: templatesIn({}),
    addTask: async () => undefined,
  })
  const { problemsOf } = rulesOf(runners)
  const found = read.parsed.flatMap(({ data, place }) =>
    problemsOf(data).map((problem) => place?.(problem) ?? problem),
  )
  await egress.close()
  return { ...read, problems: [...read.problems, ...found] }
}
