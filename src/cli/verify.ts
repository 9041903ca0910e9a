// Owns `pawl verify`: goes through a whole store and says what cannot be so. It reads only; a worker may be at work.

import type { Command } from 'commander'
import type { Finding } from '../verify/finding.ts'
import type { Report } from '../verify/verify.ts'
import { examples, run, sub } from './command.ts'
import { EXIT } from './fail.ts'
import { storeOf } from './given.ts'
import type { Session } from './session.ts'
import { shownStore } from './shown-store.ts'

const place = (finding: Finding): string =>
  Object.entries(finding.where)
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(', ')

const linesOf = ({ terminal }: Session, store: string, report: Report): readonly string[] => {
  const { findings, more, unchecked, checked, isSound, tookMs } = report
  const rows = Object.values(checked).reduce((sum, count) => sum + count, 0)
  const mark = (severity: string): string =>
    severity === 'error' ? terminal.style('red', '✕') : terminal.style('yellow', '!')
  return [
    ...findings.flatMap((finding) => [
      `${mark(finding.severity)} ${finding.invariant} ${finding.rule}  ${finding.text}`,
      `    at        ${place(finding)}`,
      `    expected  ${finding.expected}`,
      `    found     ${finding.found}`,
    ]),
    ...(more > 0 ? [`… and ${more} more`] : []),
    ...unchecked.map((what) => `? ${what}`),
    `${isSound ? terminal.style('green', '✓ sound') : terminal.style('red', '✕ not sound')}  ${store}  ${rows} rows in ${(tookMs / 1000).toFixed(1)} s`,
  ]
}

const check = async (session: Session): Promise<number> => {
  const { terminal, output, options } = session
  const store = storeOf(session)
  const [{ openStore }, { verify }] = await Promise.all([
    import('../pawl/open-store.ts'),
    import('../verify/verify.ts'),
  ])
  const opened = await openStore(store, { onWarning: (message) => terminal.say(`! ${message}`) })
  const controller = new AbortController()
  const interrupt = (): void => controller.abort()
  process.once('SIGINT', interrupt)
  try {
    const after = options['after'] as string | undefined
    const { inspector } = opened
    const report = await verify({
      inspector,
      signal: controller.signal,
      ...(after !== undefined && { after }),
    })
    output.one(report, () => linesOf(session, shownStore(store), report))
    if (report.next !== undefined) terminal.say(`stopped; go on with --after '${report.next}'`)
    if (controller.signal.aborted) return EXIT.interrupted
    return report.isSound ? EXIT.ok : EXIT.failed
  } finally {
    process.off('SIGINT', interrupt)
    await opened.store.close()
  }
}

export const addVerify = (program: Command): void => {
  const command = sub(program, 'verify', 'Look through a whole store: does everything hold that must hold?')
    .option('--after <cursor>', 'go on where an earlier run stopped')
    .action(run(check))
  examples(
    command,
    'pawl verify --store sqlite:./pawl.db',
    'pawl verify --store postgres://… --json isSound,findings',
  )
}
