// Owns reading mail templates from a folder. Which names are names is src/runners/email/templates.ts; a file that is not
// there is no template, anything else that goes wrong is said.

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface TemplateFolder {
  readonly read: (file: string) => Promise<string | undefined>
  readonly files: () => Promise<readonly string[]>
}

const isMissing = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes(String((error as NodeJS.ErrnoException).code))

export const templateFolder = (folder: string): TemplateFolder => ({
  read: (file) =>
    readFile(join(folder, file), 'utf8').catch((error: unknown) => {
      if (isMissing(error)) return undefined
      throw error
    }),
  files: () => readdir(folder, { recursive: true }),
})
