// The whole table of `why` through the other doors: what the library says of an action or an execution is what
// GET …/why answers and what `pawl why` prints, row by row. The rows themselves are held by the tests of the library.

import { afterEach, expect, it, vi } from 'vitest'
import { createProgram } from '../../src/cli/program.ts'
import { Pawl, type PawlOptions } from '../../src/index.ts'
import { type OpenedParts, openParts } from '../../src/pawl/open.ts'
import { startServer } from '../../src/server/start.ts'
import { START } from '../engine/bed.ts'
import { EXECUTION_CASES, flow, job as simple, WHY_CASES } from '../engine/why-cases.ts'
import { bringAbout, idle, job, LIMIT_CASES } from '../limits/why-cases.ts'
import { tempFile } from '../sqlite/bed.ts'
import { type HeldCase, heldCases } from './why-held.ts'

type Options = Partial<PawlOptions>
/** Brings it about and answers whose reasons are asked for. */
type Begin = (pawl: Pawl, opened: OpenedParts) => Promise<string>
type Row = readonly [
  name: string,
  path: 'actions' | 'executions',
  options: Options,
  begin: Begin,
  held: HeldCase | undefined,
]

const ROWS: readonly Row[] = [
  ...WHY_CASES.map(
    ([code, config, options, act]): Row => [
      code,
      'actions',
      { runners: [simple] },
      async (pawl) => {
        await pawl.work({ slots: 0 })
        const { id } = await pawl.dispatch(simple(config, options as never))
        await act(pawl, id)
        return id
      },
      undefined,
    ],
  ),
  ...Object.entries(LIMIT_CASES).map(
    ([name, row]): Row => [
      name,
      'actions',
      { runners: [job, idle], ...(row.limits && { limits: row.limits }) },
      (pawl) => bringAbout(pawl, row),
      undefined,
    ],
  ),
  ...EXECUTION_CASES.map(
    ([code, act]): Row => [
      `execution: ${code}`,
      'executions',
      { runners: [simple], definitions: [flow] },
      async (pawl) => {
        await pawl.work({ slots: 0 })
        await pawl.start(flow, { id: 'f', variables: {} })
        await act(pawl, 'f')
        return 'f'
      },
      undefined,
    ],
  ),
  [
    'nobody runs it',
    'actions',
    {},
    async (pawl) => (await pawl.dispatch({ type: 'nobody', config: {}, options: {} })).id,
    undefined,
  ],
  [
    'an action by its step',
    'actions',
    { runners: [simple], definitions: [flow] },
    async (pawl) => {
      await pawl.work({ slots: 0 })
      await pawl.start(flow, { id: 'f', variables: {} })
      await pawl.send('f', 'ask')
      return (await pawl.actions.list({ execution: 'f' })).data[0]!.stepKey
    },
    undefined,
  ],
  ...heldCases().map((row): Row => [row.code, 'actions', row.options, (_, opened) => row.begin(opened), row]),
]

const LIMITS = {
  ...{ headersMs: 5000, requestMs: 5000, connections: 10, requestsPerSecond: 1000, requestBurst: 1000 },
  ...{ failuresPerMinute: 10, streamsPerKey: 1, heartbeatMs: 1000, bodyBytes: 1_000_000 },
}

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** By a process that has ended. */
const startElsewhere = async (store: string): Promise<void> => {
  const pawl = await Pawl.open({ store, clock: `virtual:${START}`, runners: [simple], definitions: [flow] })
  await pawl.start(flow, { id: 'f', variables: {} })
  await pawl.close()
}

type Served = OpenedParts & { readonly url: string }

const serve = async (options: Options): Promise<Served> => {
  const log = (): void => undefined
  const opened = await openParts({ store: 'sqlite::memory:', clock: `virtual:${START}`, log, ...options })
  closing.push(() => opened.pawl.close())
  const server = await startServer({ ...opened, host: '127.0.0.1', port: 0, log, limits: LIMITS })
  closing.push(server.close)
  return { ...opened, url: server.url }
}

/** What `pawl why` prints. */
const typed = async (url: string, id: string): Promise<string> => {
  let printed = ''
  const spied = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text)
    return true
  })
  try {
    await createProgram().parseAsync(['node', 'pawl', 'why', id, '--server', url, '--time', 'iso'])
  } finally {
    spied.mockRestore()
  }
  expect(process.exitCode).toBe(0)
  process.exitCode = undefined
  return printed
}

const instant = (at: number): string => new Date(at).toISOString()

/** What the other doors say is what the library says; that is answered. */
const sameThroughDoors = async ({ pawl, url }: Served, path: Row[1], asked: string) => {
  const { id, reasons, eta, status } = await pawl.why(asked)
  const answer = await fetch(`${url}/v1/${path}/${encodeURIComponent(asked)}/why`)
  expect(await answer.json()).toEqual({
    id,
    status,
    reasons: reasons.map(({ code, text, until }) => ({
      code,
      text,
      ...(until !== undefined && { until: instant(until) }),
    })),
    ...(eta !== undefined && { eta: instant(eta) }),
  })

  const lines = (await typed(url, asked)).trimEnd().split('\n')
  expect(lines[0]).toContain(`${id}  `)
  const told = reasons.map(({ code, text, until }) =>
    [`  ${code.padEnd(12)} ${text}`, ...(until === undefined ? [] : [`(until ${instant(until)})`])].join(
      '  ',
    ),
  )
  const last = eta === undefined ? [] : [`  It will probably go on ${instant(eta)}.`]
  expect(lines.slice(1)).toEqual([...told, ...last])
  return reasons
}

it.each(ROWS)('%s', async (_, path, options, begin, held) => {
  const served = await serve(options)
  if (held?.end) closing.push(async () => held.end!())
  const reasons = await sameThroughDoors(served, path, await begin(served.pawl, served))
  if (held) expect(reasons[0]).toMatchObject({ code: held.code, text: expect.stringMatching(held.text) })
})

it('execution: definition_unknown', async () => {
  const store = `sqlite:${tempFile()}`
  await startElsewhere(store)
  const reasons = await sameThroughDoors(await serve({ store }), 'executions', 'f')
  expect(reasons).toMatchObject([
    {
      code: 'definition_unknown',
      text: expect.stringMatching(/^no live process knows flow@\w{8}; start one/),
    },
  ])
})
