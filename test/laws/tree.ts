// Owns reading the repository as the laws see it: every text file that .gitignore does not name. Walks the folders
// itself, because a clone may be tested where there is no git (the slim Node images have none).

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SourceFile } from './law.ts'

/** `name/` and `*.ending` only: what our .gitignore holds. Anything richer is refused, never silently misread. */
const ignoring = (gitignore: string): ((name: string, isFolder: boolean) => boolean) => {
  const patterns = gitignore.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'))
  for (const pattern of patterns)
    if (!/^(\*?[\w.-]+|[\w.-]+\/)$/.test(pattern))
      throw new Error(`.gitignore holds "${pattern}", which test/laws/tree.ts does not read; teach it`)
  return (name, isFolder) =>
    name === '.git' ||
    patterns.some((pattern) => {
      if (pattern.endsWith('/')) return isFolder && `${name}/` === pattern
      return pattern.startsWith('*') ? name.endsWith(pattern.slice(1)) : name === pattern
    })
}

const isBinary = (text: string): boolean => text.includes('\0')

export const readTree = (root: string): readonly SourceFile[] => {
  const ignored = ignoring(readFileSync(join(root, '.gitignore'), 'utf8'))
  const walk = (folder: string): readonly SourceFile[] =>
    readdirSync(join(root, folder), { withFileTypes: true })
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .flatMap((entry) => {
        const path = folder === '' ? entry.name : `${folder}/${entry.name}`
        if (ignored(entry.name, entry.isDirectory())) return []
        if (entry.isDirectory()) return walk(path)
        return entry.isFile() ? [{ path, text: readFileSync(join(root, path), 'utf8') }] : []
      })
  return walk('').filter((file) => !isBinary(file.text))
}
