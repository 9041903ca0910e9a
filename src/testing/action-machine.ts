// Owns putting one action of a definition on a stage of its own: a machine that waits for a message and then enters the
// action's state. What is tested that way takes the very path it will take in production.

import type { ActionData } from '../core/definition.ts'
import { PawlError } from '../core/errors.ts'
import type { ParsedAction, ParsedMachine } from '../definitions/parse.ts'
import { loadDefinition } from '../definitions/parse.ts'
import type { Problem } from '../definitions/problem.ts'

export const MESSAGE = 'message.received'

const nameFor = (taken: string): string => (taken === 'ready' ? 'waiting' : 'ready')

/** Enabled and unscheduled, whatever it says: a test asks for it now. */
export const machineFor = (action: ActionData, message = MESSAGE): ParsedMachine => {
  const { machine, schedule, timezone, enabled, triggerState = 'acting', ...kept } = action
  const initial = nameFor(triggerState)
  const { definitions, problems } = loadDefinition({
    kind: 'machine',
    id: `test_of_${action.actionId}`,
    initial,
    states: { [initial]: { on: { [message]: triggerState } }, [triggerState]: {} },
    actions: [{ ...kept, triggerState }],
  })
  const [definition] = definitions
  if (definition?.kind === 'machine') return definition
  throw refusal(problems)
}

/** The action as its file would be read, with everything that is wrong with it. */
export const readAction = (
  value: unknown,
): { readonly action: ActionData | undefined; readonly problems: readonly Problem[] } => {
  const { definitions, problems } = loadDefinition(value)
  const action = definitions.find((each): each is ParsedAction => each.kind === 'action')
  return { action: action?.data, problems }
}

export const refusal = ([first]: readonly Problem[]): PawlError =>
  new PawlError(first?.code ?? 'invalid_definition', first?.message ?? 'this is no action', {
    path: first?.path ?? '',
    expected: first?.expected ?? 'an action with actionId, type and config',
  })
