// Owns which runners a process has: the program's own, and the built-in ones it can really perform. A worker that took
// what it has no service or provider for would fail what another could do.

import type { Environment } from '../config/environment.ts'
import { defaultProviderIn, mailProvidersIn, servicesIn } from '../config/providers.ts'
import type { Egress } from '../egress/egress.ts'
import { type BuiltInDeps, builtInRunners } from '../runners/built-in.ts'
import { createOutbox } from '../runners/outbox.ts'
import type { AnyRunner } from '../runners/runner.ts'

interface Wanted extends Pick<BuiltInDeps, 'services' | 'providers' | 'templates'> {
  readonly runners: readonly AnyRunner[]
  readonly builtIns?: boolean
  readonly provider?: 'sandbox'
}

export const withBuiltIns = (wanted: Wanted, env: Environment, egress: Egress): readonly AnyRunner[] => {
  const { runners, builtIns = true, templates } = wanted
  if (!builtIns) return runners
  const { services = servicesIn(env), providers = mailProvidersIn(env) } = wanted
  const provider = wanted.provider ?? defaultProviderIn(env)
  const isEmpty = (named: object): boolean => provider === undefined && Object.keys(named).length === 0
  const left = new Set([
    ...runners.map(({ type }) => type),
    ...(isEmpty(services) ? ['api_call'] : []),
    ...(isEmpty(providers) ? ['email'] : []),
  ])
  const built = builtInRunners({
    outbox: createOutbox(),
    egress,
    services,
    providers,
    ...(templates && { templates }),
    ...(provider && { defaultProvider: provider }),
  })
  return [...runners, ...built.filter(({ type }) => !left.has(type))]
}
