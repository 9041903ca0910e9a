// Owns the laws of the docs: a link leads somewhere, and a command that a page gives exists. What a page says in words
// is for people to check.

import { posix } from 'node:path'
import type { Law, SourceFile, Violation } from './law.ts'
import { anchorsOf, codeOf, type Found, linksOf } from './markdown.ts'

const isPage = (path: string): boolean => path.endsWith('.md')

const broken = (page: SourceFile, link: string, tree: readonly SourceFile[]): string | undefined => {
  const [target = '', anchor] = decodeURI(link).split('#')
  const path = target === '' ? page.path : posix.join(posix.dirname(page.path), target).replace(/\/$/, '')
  const file = tree.find((candidate) => candidate.path === path)
  if (file === undefined)
    return path === '.' || tree.some((candidate) => candidate.path.startsWith(`${path}/`))
      ? undefined
      : `${link} leads nowhere`
  if (anchor === undefined || !isPage(path) || anchorsOf(file).has(anchor)) return undefined
  return `${link}: ${path} has no such heading`
}

export const links: Law = {
  name: 'links',
  covers: () => true,
  check: (tree) =>
    tree
      .filter((file) => isPage(file.path))
      .flatMap((page) =>
        linksOf(page).flatMap(({ text, line }): readonly Violation[] => {
          const found = /^([a-z][a-z+.-]*:|\/\/)/i.test(text) ? undefined : broken(page, text, tree)
          return found === undefined
            ? []
            : [{ file: page.path, line, found, instead: 'Link to a file of the repository, from this page' }]
        }),
      ),
}

const COMMAND =
  /\bnpm (?:run(?:-script)? ([\w:.-]+)|(start|test)\b)|\bnode ((?:[\w.-]+\/)*[\w-]+\.m?[jt]s)\b/g

const missing = (
  { text }: Found,
  scripts: readonly string[],
  paths: ReadonlySet<string>,
): readonly string[] =>
  [...text.replace(/ --?[\w-]+(?= )/g, '').matchAll(COMMAND)].flatMap(([command, script, short, path]) => {
    const name = script ?? short
    if (name === undefined) return paths.has(path!) ? [] : [command]
    return scripts.includes(name) ? [] : [command]
  })

export const commands: Law = {
  name: 'commands',
  covers: () => true,
  check: (tree) => {
    const manifest = tree.find((file) => file.path === 'package.json')
    const { scripts = {} } = JSON.parse(manifest?.text ?? '{}') as { scripts?: Record<string, string> }
    const paths = new Set(tree.map((file) => file.path))
    return tree
      .filter((file) => isPage(file.path))
      .flatMap((page) =>
        codeOf(page).flatMap((code) =>
          missing(code, Object.keys(scripts), paths).map((command) => ({
            file: page.path,
            line: code.line,
            found: `the command ${command}`,
            instead: 'Give a command that exists: scripts are in package.json',
          })),
        ),
      )
  },
}
