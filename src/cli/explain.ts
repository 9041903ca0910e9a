// Owns `--explain`: the HTTP request a command would send, as a curl line, instead of sending it.

import type { ClientOptions } from '../client/transport.ts'
import { Ended, EXIT } from './fail.ts'
import type { Given } from './given.ts'

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** A token is not shown: a line like this is pasted into tickets. */
const headerLine = ([name, value]: readonly [string, string]): string =>
  name === 'authorization' ? '-H "Authorization: Bearer $PAWL_TOKEN"' : `-H ${quoted(`${name}: ${value}`)}`

export const curlOf = (url: string, init: RequestInit): string => {
  const headers = Object.entries(init.headers as Readonly<Record<string, string>>)
  return [
    `curl -X ${init.method ?? 'GET'} ${quoted(url)}`,
    ...headers.map(headerLine),
    ...(typeof init.body === 'string' ? [`--data ${quoted(init.body)}`] : []),
  ].join(' \\\n  ')
}

/** The fetch that explains, where it was asked for. */
export const explaining = ({
  options,
  terminal,
}: Pick<Given, 'options' | 'terminal'>): Pick<ClientOptions, 'fetch'> => {
  if (options['explain'] !== true) return {}
  return {
    fetch: (url, init = {}) => {
      terminal.print(curlOf(String(url), init))
      throw new Ended(EXIT.ok)
    },
  }
}
