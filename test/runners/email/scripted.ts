// A mail server that does what a test tells it to, reply by reply, for what no well-behaved server would do. It hears every
// line; a mail it has taken whole is counted.

import type { Socket } from 'node:net'
import { type Listener, serveRaw } from '../../egress/bed.ts'

type Answer = string | ((socket: Socket, line: string) => string | undefined)

export interface Script {
  readonly greeting?: Answer
  readonly EHLO?: Answer
  readonly STARTTLS?: Answer
  readonly AUTH?: Answer
  readonly MAIL?: Answer
  readonly RCPT?: Answer
  readonly RSET?: Answer
  readonly DATA?: Answer
  /** To the first bytes of the content. */
  readonly content?: Answer
  /** To the final dot. */
  readonly dot?: Answer
}

export interface Scripted extends Listener {
  readonly heard: readonly string[]
  readonly mails: () => number
}

const POLITE: Required<Script> = {
  greeting: '220 hello',
  EHLO: '250-mail.example\r\n250-SIZE 10000000\r\n250 AUTH PLAIN LOGIN',
  STARTTLS: '220 go ahead',
  AUTH: '235 welcome',
  MAIL: '250 OK',
  RCPT: '250 OK',
  RSET: '250 OK',
  DATA: '354 go on',
  content: () => undefined,
  dot: '250 OK',
}

/** Hangs up at once, as a server does that crashed. */
export const drop = (socket: Socket): undefined => {
  socket.resetAndDestroy()
  return undefined
}
export const silence = (): undefined => undefined

export const serveScript = async (script: Script = {}): Promise<Scripted> => {
  const answers: Required<Script> = { ...POLITE, ...script }
  const heard: string[] = []
  let mails = 0
  const listener = await serveRaw((socket) => {
    let rest = ''
    let isContent = false
    const say = (step: keyof Script, line: string): void => {
      const answer = answers[step]
      const text = typeof answer === 'string' ? answer : answer(socket, line)
      if (text !== undefined) socket.write(`${text}\r\n`)
    }
    const onLine = (line: string): void => {
      heard.push(line)
      if (isContent && line !== '.') return
      if (isContent) {
        isContent = false
        mails++
        say('dot', line)
        return
      }
      const verb = line.split(' ', 1)[0]!.toUpperCase()
      if (verb === 'QUIT') socket.end('221 bye\r\n')
      else if (Object.hasOwn(answers, verb)) say(verb as keyof Script, line)
      else socket.write('500 what?\r\n')
      isContent = verb === 'DATA' && typeof answers.DATA === 'string' && answers.DATA.startsWith('354')
    }
    say('greeting', '')
    socket.on('data', (chunk) => {
      if (isContent && heard.at(-1) === 'DATA') say('content', '')
      const lines = (rest + chunk.toString('latin1')).split('\r\n')
      rest = lines.pop()!
      for (const line of lines) onLine(line)
    })
  })
  return { ...listener, heard, mails: () => mails }
}
