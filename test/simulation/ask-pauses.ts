// Owns what clients ask of whole groups: stop, and go on.

import type { PauseScope } from '../../src/store/store.ts'
import { TENANTS } from './bed.ts'
import { type Ask, type ClientParts, errand, of } from './errand.ts'
import { TYPES } from './machines.ts'

interface Scope {
  readonly tenant: string
  readonly scope: PauseScope
  readonly value: string
}

const drawScope = ({ seeded, started }: ClientParts): Scope => {
  const tenant = seeded.pick(TENANTS)
  const scope = seeded.pick(['execution', 'execution', 'type', 'definition', 'tenant'] as const)
  if (scope === 'type') return { tenant, scope, value: seeded.pick(TYPES) }
  if (scope === 'definition') return { tenant, scope, value: seeded.pick(['data', 'code']) }
  if (scope === 'tenant' || started.length === 0) return { tenant, scope: 'tenant', value: tenant }
  const execution = seeded.pick(started)
  return { tenant: execution.tenant, scope, value: execution.id }
}

export const pauseAsks = (parts: ClientParts) => {
  const { seeded, started } = parts
  const paused: Scope[] = []
  const resume = ({ tenant, scope, value }: Scope): Promise<unknown> =>
    errand(parts, ({ engine }) => engine.controls.resume(of(tenant), scope, value))
  const asks: Readonly<Record<string, Ask>> = {
    pause: async () => {
      const drawn = drawScope(parts)
      const { tenant, scope, value } = drawn
      paused.push(drawn)
      await errand(parts, ({ engine }) => engine.controls.pause(of(tenant), scope, value, 'a person said so'))
    },
    resume: () => resume(seeded.chance(0.7) && paused.length > 0 ? seeded.pick(paused) : drawScope(parts)),
  }
  return {
    asks,
    /** A person lets everything go on that was stopped, or that failed by its code. */
    resumeAll: async (): Promise<void> => {
      const executions = started.map(({ tenant, id }) => ({ tenant, scope: 'execution', value: id }) as const)
      for (const scope of [...paused, ...executions]) await resume(scope)
    },
  }
}
