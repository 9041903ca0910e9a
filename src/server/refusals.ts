// Owns the words of the refusals that several routes share.

import { PawlError } from '../core/errors.ts'

export const localOnly = (): PawlError =>
  new PawlError('local_only', 'this works in local mode alone', {
    expected: 'a server on loopback, before its first key was made',
  })

/** API.md has it and this version has not. */
export const notBuilt = (what: string): PawlError =>
  new PawlError('not_built', `${what} cannot be served by this version`)

export const unknownParameter = (field: string): PawlError =>
  new PawlError('input_invalid', `there is no parameter “${field.slice(0, 80)}” here`, {
    path: field.slice(0, 80),
    expected: 'none but namespace and tenant',
  })

export const notNamed = (field: string): PawlError =>
  new PawlError('input_invalid', `${field} must be named`, { path: field, expected: `?${field}=…` })

export const noAction = (id: string): PawlError =>
  new PawlError('action_not_found', `there is no action “${id.slice(0, 80)}”`, { path: 'action' })

export const noExecution = (id: string): PawlError =>
  new PawlError('execution_not_found', `there is no execution “${id.slice(0, 80)}”`, {
    path: 'execution',
    expected: 'the id of an execution of this tenant',
  })
