// Owns the list of runners that Pawl brings along. A program's own runner of the same type takes the place of one.

import type { Egress } from '../egress/egress.ts'
import { type ApiCallDeps, createApiCall } from './api-call/api-call.ts'
import { createDelay } from './delay.ts'
import { createEmail, type EmailDeps } from './email/email.ts'
import type { AnyRunner } from './runner.ts'
import { createWebhook, type WebhookDeps } from './webhook/webhook.ts'

export interface BuiltInDeps extends Pick<ApiCallDeps, 'outbox' | 'defaultProvider' | 'services'> {
  readonly webhook?: Pick<WebhookDeps, 'cost'>
  /** With it, email is there too: SMTP needs the door itself. */
  readonly egress?: Egress
  readonly providers?: EmailDeps['providers']
  readonly templates?: NonNullable<EmailDeps['templates']>
}

export const builtInRunners = (deps: BuiltInDeps): readonly AnyRunner[] => {
  const { egress, providers = {}, templates } = deps
  return [
    createWebhook({ ...deps, ...deps.webhook }),
    createApiCall(deps),
    createDelay(),
    ...(egress ? [createEmail({ ...deps, egress, providers, ...(templates && { templates }) })] : []),
  ]
}
