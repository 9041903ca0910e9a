// Owns the shape of a machine written as data. What its names refer to is checked in check-machine.ts.

import { z } from 'zod'
import type { MachineData, StateData, TransitionData } from '../../core/definition.ts'
import { action } from './action.ts'
import { request } from './request.ts'
import { flag, json, jsonObject, list, name, object, once, recordOf, text, word } from './values.ts'

const transition = once(
  () =>
    object('a transition such as { to: state }', {
      to: name('the name of a state').describe('The state it leads to.').exactOptional(),
      of: name('the actionId of an action').describe('Only for the result of this action.').exactOptional(),
      internal: flag().describe('true: stays in the state and only sets variables.').exactOptional(),
      condition: json('JSONLogic')
        .describe('JSONLogic; the first transition whose condition holds is taken.')
        .exactOptional(),
      set: jsonObject('variables and their new values')
        .describe('Variables to change; values may hold placeholders.')
        .exactOptional(),
    }).meta({
      id: 'transition',
      description: 'Where an event or a timer leads.',
    }) satisfies z.ZodType<TransitionData>,
)

const A_TRANSITION = 'the name of a state, { to, condition, set … } or a list of these'

const transitions = once(() =>
  z
    .union([name('the name of a state'), transition(), list(transition(), 'a list of transitions')], {
      error: A_TRANSITION,
    })
    .meta({ id: 'transitions' }),
)

const state = once(
  () =>
    object('a state such as { on: { … } }', {
      enter: z
        .union([request(), list(request(), 'a list of actions')], {
          error: '{ type, config … } or a list of these',
        })
        .describe('Actions asked for when the state is entered.')
        .exactOptional(),
      on: recordOf(name('the name of an event'), transitions(), 'events and where they lead')
        .describe('Events and where they lead.')
        .exactOptional(),
      after: recordOf(
        name('a duration'),
        transitions(),
        'durations and where they lead, such as 14d: terminated',
      )
        .describe('Durations and where they lead, counted from entering the state.')
        .exactOptional(),
      final: flag().describe('true: the execution is completed here.').exactOptional(),
      description: text('text').describe('For people.').exactOptional(),
    }).meta({ id: 'state', description: 'A state of a machine.' }) satisfies z.ZodType<StateData>,
)

const machine = once(
  () =>
    object('a machine', {
      kind: z.literal('machine', { error: 'machine' }).describe('What is defined here.'),
      id: name('the name of the machine').describe('Names the machine.'),
      description: text('text').describe('For people.').exactOptional(),
      initial: name('the name of a state').describe('The state an execution starts in.'),
      states: recordOf(name('the name of a state'), state(), 'states by name').describe(
        'The states by name.',
      ),
      actions: list(action(), 'a list of actions')
        .describe('Actions hung onto states by triggerState.')
        .exactOptional(),
      variables: jsonObject('a JSON Schema').describe('JSON Schema of the variables.').exactOptional(),
      events: recordOf(
        name('the name of an event'),
        jsonObject('a JSON Schema'),
        'a JSON Schema for each event',
      )
        .describe('JSON Schema of the payload of each event.')
        .exactOptional(),
      onActionDead: word(['continue', 'fail'])
        .describe('fail: the execution fails when an action ends dead. Default continue.')
        .exactOptional(),
      versions: word(['follow', 'pin'])
        .describe('follow: running executions move to a new version. Default pin.')
        .exactOptional(),
    }) satisfies z.ZodType<MachineData>,
)

export const machineFile = once(() =>
  machine()
    .extend({ $schema: text('text').describe('For editors: where this schema is.').exactOptional() })
    .meta({ id: 'machine', description: 'A state machine.' }),
)
