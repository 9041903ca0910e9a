// The port for mail templates that people keep in the store: texts by name, each tenant its own. What they mean, and
// whether they can be read, is the email runner's.

import type { Tenancy } from './store.ts'

export interface StoredTemplate {
  readonly name: string
  readonly updatedAt: number
  readonly subject?: string
  readonly html?: string
  readonly text?: string
}

export interface TemplateStore {
  readonly put: (of: Tenancy, template: StoredTemplate) => Promise<void>
  readonly get: (of: Tenancy, name: string) => Promise<StoredTemplate | undefined>
  /** Names and times, by name. */
  readonly list: (of: Tenancy) => Promise<readonly Pick<StoredTemplate, 'name' | 'updatedAt'>[]>
  /** False when there was none. */
  readonly remove: (of: Tenancy, name: string) => Promise<boolean>
}
