// Owns the two ways out of a command: stdout for data, stderr for talk; and whether there is a person at the other end, who
// likes colour, columns that fit and questions. A reader that goes away (`| head`) is no error.

import { styleText } from 'node:util'

type Style = Parameters<typeof styleText>[0]

export interface Terminal {
  /** A line of data. */
  readonly print: (line: string) => void
  /** A line for people. */
  readonly say: (line: string) => void
  /** The last line of talk, written over by the next: for progress. */
  readonly redraw: (line: string) => void
  readonly style: (style: Style, text: string) => string
  /** Is data read by a person? */
  readonly isShown: boolean
  /** Can a person be asked? */
  readonly canAsk: boolean
  /** Can progress be drawn? */
  readonly canDraw: boolean
  readonly columns: number
}

export interface TerminalOptions {
  readonly color?: 'auto' | 'always' | 'never'
  readonly noColor?: boolean
  readonly input?: boolean
  readonly quiet?: boolean
}

const isColoured = ({ color = 'auto', noColor }: TerminalOptions): boolean =>
  color === 'always' || (color === 'auto' && noColor !== true && process.stdout.isTTY === true)

export const createTerminal = (options: TerminalOptions): Terminal => {
  const { stdout, stderr } = process
  const coloured = isColoured(options)
  const canDraw = stderr.isTTY === true && options.quiet !== true
  let isDrawn = false
  const say = (line: string): void => {
    if (options.quiet) return
    stderr.write(`${isDrawn ? '\r\u001b[K' : ''}${line}\n`)
    isDrawn = false
  }
  return {
    print: (line) => void stdout.write(`${line}\n`),
    say,
    redraw: (line) => {
      if (!canDraw) return
      stderr.write(`\r\u001b[K${line}`)
      isDrawn = true
    },
    style: (style, text) => (coloured ? styleText(style, text, { validateStream: false }) : text),
    isShown: stdout.isTTY === true,
    canAsk: options.input !== false && process.stdin.isTTY === true && stderr.isTTY === true,
    canDraw,
    columns: stdout.isTTY ? (stdout.columns ?? 100) : Number.POSITIVE_INFINITY,
  }
}

/** `pawl actions list | head`: the reader has enough, and so have we. */
export const endWithReader = (): void => {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    throw error
  })
}
