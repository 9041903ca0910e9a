// Owns the law against import cycles. Type-only imports count: two files that need each other's types are one concept,
// and the cycle of types is the one that turns into a cycle of values with the next edit.

import { isCode, type Law, type SourceFile } from './law.ts'
import { modulesOf, targetOf } from './modules.ts'

interface Edge {
  readonly to: string
  readonly line: number
}

type Graph = ReadonlyMap<string, readonly Edge[]>

const ENDINGS = ['', '.ts', '/index.ts']

const graphOf = (files: readonly SourceFile[]): Graph => {
  const paths = new Set(files.map((file) => file.path))
  const existing = (path: string): string | undefined =>
    ENDINGS.map((ending) => path.replace(/\.js$/, '.ts') + ending).find((candidate) => paths.has(candidate))
  return new Map(
    files.map((file) => [
      file.path,
      modulesOf(file).flatMap(({ specifier, line }) => {
        const target = targetOf(specifier, file.path)
        const to = target.kind === 'file' ? existing(target.path) : undefined
        return to === undefined ? [] : [{ to, line }]
      }),
    ]),
  )
}

/** The shortest way from a file back to itself, breadth first, or undefined. */
const wayHome = (graph: Graph, start: string): readonly string[] | undefined => {
  const cameFrom = new Map<string, string>()
  const queue = [start]
  for (const at of queue)
    for (const { to } of graph.get(at)!) {
      if (to === start) {
        const way = [at]
        while (way[0] !== start) way.unshift(cameFrom.get(way[0]!)!)
        return way
      }
      if (!cameFrom.has(to)) {
        cameFrom.set(to, at)
        queue.push(to)
      }
    }
  return undefined
}

export const cycles: Law = {
  name: 'cycles',
  covers: isCode,
  check: (files) => {
    const graph = graphOf(files)
    const told = new Set<string>()
    return files.flatMap((file) => {
      const way = told.has(file.path) ? undefined : wayHome(graph, file.path)
      if (way === undefined) return []
      for (const path of way) told.add(path)
      const next = way[1] ?? file.path
      return [
        {
          file: file.path,
          line: graph.get(file.path)!.find((edge) => edge.to === next)!.line,
          found: `a cycle ${[...way, file.path].join(' → ')}`,
          instead: 'Move what both need into a third file, or join the two',
        },
      ]
    })
  },
}
