// Owns `pawl.templates`: bodies of mail that are kept in the store, each tenant its own, checked when they are put and shown
// as they would be sent. They come before those of files.

import { ActionFailure } from '../core/action-error.ts'
import { PawlError } from '../core/errors.ts'
import type { JsonObject } from '../core/json.ts'
import type { Clock } from '../engine/clock.ts'
import { assertLiquid } from '../runners/email/liquid.ts'
import { renderTemplate } from '../runners/email/render-email.ts'
import { type EmailTemplate, isTemplateName, type Templates } from '../runners/email/templates.ts'
import type { Tenancy } from '../store/store.ts'
import type { StoredTemplate, TemplateStore } from '../store/templates.ts'

export interface TemplateDesk {
  /** Liquid, each of subject, html and text; one that cannot be read is refused. */
  readonly put: (name: string, template: EmailTemplate) => Promise<void>
  readonly get: (name: string) => Promise<EmailTemplate | undefined>
  readonly list: () => Promise<readonly { readonly name: string; readonly updatedAt: string }[]>
  /** False when there was none. */
  readonly remove: (name: string) => Promise<boolean>
  /** As it would be sent with these variables; nothing is. Undefined: there is no such template. */
  readonly preview: (name: string, variables?: JsonObject) => Promise<EmailTemplate | undefined>
}

const PARTS = ['subject', 'html', 'text'] as const

const textsOf = ({ name: _name, updatedAt: _at, ...texts }: StoredTemplate): EmailTemplate => texts

/** What a runner would be refused with, said to whoever asks. */
const asked = <Value>(work: () => Value): Value => {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof ActionFailure)) throw error
    throw new PawlError('invalid_template', error.message, { path: 'template' })
  }
}

const assertTemplate = (name: string, template: EmailTemplate): void => {
  if (!isTemplateName(name))
    throw new PawlError('invalid_template', `“${name.slice(0, 80)}” is no name for a template`, {
      path: 'name',
      expected: 'words of letters, digits, _ and -, parted by . or /, such as lease/notice',
    })
  if (template.html === undefined && template.text === undefined)
    throw new PawlError('invalid_template', `the template ${name} has neither html nor text`, {
      path: 'template',
    })
  for (const part of PARTS) {
    const source = template[part]
    if (source !== undefined) asked(() => assertLiquid(part === 'html' ? 'html' : 'text', source, part))
  }
}

export const createTemplateDesk = (
  store: TemplateStore,
  found: Templates | undefined,
  clock: Pick<Clock, 'now'>,
  of: Tenancy,
): TemplateDesk => ({
  put: async (name, { subject, html, text }) => {
    const template = {
      ...(subject !== undefined && { subject }),
      ...(html !== undefined && { html }),
      ...(text !== undefined && { text }),
    }
    assertTemplate(name, template)
    await store.put(of, { name, updatedAt: clock.now(), ...template })
  },
  get: async (name) => {
    const template = await store.get(of, name)
    return template && textsOf(template)
  },
  list: async () =>
    (await store.list(of)).map(({ name, updatedAt }) => ({
      name,
      updatedAt: new Date(updatedAt).toISOString(),
    })),
  remove: (name) => store.remove(of, name),
  preview: async (name, variables = {}) => {
    const template = await storedFirst(store, found).get(name, of)
    return template && asked(() => renderTemplate(name, template, variables))
  },
})

/** Those of the store, then those of the program. */
export const storedFirst = (store: TemplateStore, found: Templates | undefined): Templates => ({
  get: async (name, of) => {
    const template = await store.get(of, name)
    return template === undefined ? found?.get(name, of) : textsOf(template)
  },
  names: async (of) => [
    ...(await store.list(of)).map(({ name }) => name),
    ...((await found?.names?.(of)) ?? []),
  ],
})
