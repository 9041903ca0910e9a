// Owns which runners a process has: the program's own, and the built-in ones it can really perform. A worker that took
// what it has no service or provider for would fail what another could do.

import type { Environment } from '../config/environment.ts'
import { defaultProviderIn, mailProvidersIn, servicesIn } from '../config/providers.ts'
import { templateFolder } from '../config/template-folder.ts'
import { type BuiltInDeps, builtInRunners } from '../runners/built-in.ts'
import { templateFiles, templatesIn } from '../runners/email/templates.ts'
import type { AnyRunner } from '../runners/runner.ts'

type Mails = NonNullable<BuiltInDeps['templates']>

/** Bodies of mail: a folder of Liquid files, a record by name, or whatever finds one. */
export type TemplateSource = string | Parameters<typeof templatesIn>[0] | Mails

interface Wanted extends Pick<BuiltInDeps, 'services' | 'providers' | 'functions' | 'costs'> {
  readonly runners: readonly AnyRunner[]
  readonly builtIns?: boolean
  readonly provider?: 'sandbox'
}

export const templatesOf = (source: TemplateSource): Mails => {
  if (typeof source === 'string') return templateFiles(templateFolder(source))
  return typeof source['get'] === 'function'
    ? (source as Mails)
    : templatesIn(source as Parameters<typeof templatesIn>[0])
}

export const withBuiltIns = (
  wanted: Wanted,
  env: Environment,
  world: Required<Pick<BuiltInDeps, 'egress' | 'outbox' | 'addTask' | 'templates'>>,
): readonly AnyRunner[] => {
  const { runners, builtIns = true, functions, costs } = wanted
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
    ...world,
    services,
    providers,
    ...(functions && { functions }),
    ...(costs && { costs }),
    ...(provider && { defaultProvider: provider }),
  })
  return [...runners, ...built.filter(({ type }) => !left.has(type))]
}
