// Owns the terminal view of the first example: every fact of the executions it follows, as it is committed, and every
// call the provider gets. Colours only on a terminal.

import type { ExecutionView, Pawl } from '../src/index.ts'
import type { Provider } from './provider.ts'

const hasColours = process.stdout.isTTY && process.stdout.hasColors()
const colour =
  (code: number) =>
  (text: string): string =>
    hasColours ? `\u001b[${code}m${text}\u001b[0m` : text
const [bold, dim, green, yellow, cyan] = [1, 2, 32, 33, 36].map(colour) as [Paint, Paint, Paint, Paint, Paint]
type Paint = (text: string) => string

const say = (text = ''): void => console.log(text)
const clock = (at: number): string => dim(new Date(at).toISOString().slice(11, 23))

interface Fact {
  readonly type: string
  readonly at: number
  readonly data: Readonly<Record<string, unknown>>
}

const named = (value: unknown): readonly { readonly name: string }[] =>
  Array.isArray(value) ? (value as { readonly name: string }[]) : []

/** What one committed fact says, in words. */
const sentence = ({ type, data }: Fact): string => {
  const event = data['event'] as { readonly type: string } | undefined
  if (type === 'execution.transitioned') {
    const asked = named(data['actions']).map(({ name }) => name)
    const from = data['from'] === null ? '' : `${data['from']} → `
    const wants = asked.length === 0 ? '' : `, asks for ${asked.join(', ')}`
    return `${cyan('→')} ${event?.type.padEnd(18)} ${bold(`${from}${data['to']}`)}${wants}`
  }
  if (type === 'action.retrying') {
    const error = data['error'] as { readonly type: string } | undefined
    return `${yellow('↻')} ${String(data['name']).padEnd(18)} attempt ${data['attempt']} ended in ${error?.type ?? data['outcome']}; queued again`
  }
  return `${dim('–')} ${type}`
}

export interface View {
  readonly open: (unfinished: readonly ExecutionView[]) => void
  /** Tells everything that happens to an execution from now on, until it has ended. */
  readonly follow: (id: string) => Promise<void>
  /** Resolves to true when all have ended, to false when someone pressed Ctrl-C before. */
  readonly ended: (followed: readonly Promise<void>[]) => Promise<boolean>
  readonly interrupted: () => void
  readonly close: () => void
}

export const createView = (pawl: Pawl, provider: Provider): View => {
  const begun = pawl.now()
  const interruption = Promise.withResolvers<boolean>()
  const abort = new AbortController()
  provider.onCall(({ key, body, status }) => {
    const mark = status === 200 ? green('✓') : yellow('✕')
    say(`${clock(pawl.now())}         ${mark} POST /send         ${status} for ${key} ${dim(body)}`)
  })
  return {
    open: (unfinished) => {
      say('One lease, one notice, one action: a store on disk, a real HTTP receiver, a worker.')
      say('Press Ctrl-C wherever you like and start again: nothing is lost, nothing is sent twice.')
      say()
      for (const { id, state } of unfinished) say(`${id} is in ${state} from an earlier run and goes on`)
    },
    follow: async (execution) => {
      for await (const fact of pawl.watch({ execution, signal: abort.signal })) {
        if (fact.at < begun) continue
        say(`${clock(fact.at)}  ${execution}  ${sentence(fact)}`)
        if (fact.data['to'] === 'terminated') return
      }
    },
    ended: (followed) => Promise.race([Promise.all(followed).then(() => true), interruption.promise]),
    interrupted: () => {
      say()
      say('Stopping: what runs is finished, the rest waits. Start again and it goes on.')
      abort.abort()
      interruption.resolve(false)
    },
    close: () => {
      const accepted = provider.calls().filter(({ status }) => status === 200)
      const keys = new Set(accepted.map(({ key }) => key))
      const again = accepted.length - keys.size
      const twice = again === 0 ? 'none of them twice' : `${again} again, under the key it had`
      say()
      say(`The receiver has accepted ${keys.size} notice${keys.size === 1 ? '' : 's'}, ${twice}.`)
    },
  }
}
