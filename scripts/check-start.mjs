// Checks the README's start command as a newcomer runs it: it comes up, answers, does one thing, and ends when it is asked to.
// `npm start` itself does not end, so that a machine that runs it needs this around it.
import { spawn } from 'node:child_process'

const PATIENCE_MS = 600_000
const isWindows = process.platform === 'win32'
const child = spawn(
  isWindows ? 'npm.cmd' : 'npm',
  ['start', '--silent', '--', '--port', '0', '--log-level', 'warn'],
  {
    stdio: ['ignore', 'inherit', 'pipe'],
    detached: !isWindows,
    shell: isWindows,
  },
)
const stop = (signal) => (isWindows ? child.kill(signal) : process.kill(-child.pid, signal))
const fail = (why) => {
  console.error(`npm start: ${why}`)
  stop('SIGKILL')
  process.exit(1)
}
const patience = setTimeout(() => fail(`not over after ${PATIENCE_MS / 1000} s`), PATIENCE_MS)

const url = await new Promise((resolve) => {
  let said = ''
  child.stderr.on('data', (chunk) => {
    process.stderr.write(chunk)
    said += chunk
    const found = /API +(http:\/\/\S+)\/v1 /.exec(said)
    if (found) resolve(found[1])
  })
  child.once('exit', (code) => fail(`it ended with ${code} before it was up`))
})

const ask = async (path, init) => {
  const answer = await fetch(url + path, init)
  if (!answer.ok) fail(`${path} answered ${answer.status}: ${await answer.text()}`)
  return answer
}
await ask('/readyz')
await ask('/v1/executions', {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ definition: 'order', variables: { customer: 'ada@example.com' } }),
})

child.removeAllListeners('exit')
const ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal)))
stop('SIGTERM')
const code = await ended
clearTimeout(patience)
console.log(`npm start: up at ${url}, answered, drained and ended (${code})`)
