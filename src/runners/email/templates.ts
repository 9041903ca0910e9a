// Owns the port to where mail templates are kept, and two keepers: a record in memory, and files, which are read through
// a function because reading them is the program's own right. Their language is liquid.ts.

import { own } from '../../core/json.ts'

/** Liquid, each of them. Without `text`, the text is derived from the HTML. */
export interface EmailTemplate {
  readonly subject?: string
  readonly html?: string
  readonly text?: string
}

interface Owner {
  readonly namespace: string
  readonly tenant: string
}

export interface Templates {
  /** Undefined: there is none of that name. */
  readonly get: (name: string, of: Owner) => Promise<EmailTemplate | undefined>
  /** For "did you mean". */
  readonly names?: (of: Owner) => Promise<readonly string[]>
}

export const templatesIn = (record: Readonly<Record<string, EmailTemplate>>): Templates => ({
  get: async (name) => own(record, name) as EmailTemplate | undefined,
  names: async () => Object.keys(record),
})

/** Words and folders: what is no such name is no file either, and leads nowhere else. */
const NAME = /^[A-Za-z0-9_-]+(?:[./][A-Za-z0-9_-]+)*$/
export const isTemplateName = (name: string): boolean => NAME.test(name)

const PARTS = ['subject', 'html', 'text'] as const

interface Files {
  readonly read: (file: string) => Promise<string | undefined>
  /** All there are, for "did you mean". */
  readonly files?: () => Promise<readonly string[]>
}

const FILE = /^(.+)\.(?:subject|html|text)\.liquid$/

/** `welcome` is `welcome.subject.liquid`, `welcome.html.liquid` and `welcome.text.liquid`, any of them. */
export const templateFiles = ({ read, files }: Files): Templates => ({
  ...(files && {
    names: async () => [...new Set((await files()).flatMap((file) => FILE.exec(file)?.[1] ?? []))],
  }),
  get: async (name) => {
    if (!isTemplateName(name)) return undefined
    const parts = await Promise.all(
      PARTS.map(async (part) => [part, await read(`${name}.${part}.liquid`)] as const),
    )
    const found = parts.filter(([, source]) => source !== undefined)
    return found.length === 0 ? undefined : Object.fromEntries(found)
  },
})
