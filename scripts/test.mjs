// Owns the order of `npm test`. Types are checked on one core while lint, unused code and the core's coverage are on the
// others; then all the rest. Whatever is red there is told together, and nothing after it is begun.
import { spawn } from 'node:child_process'

const BESIDE = 'tsc -b'
const FIRST = ['biome check --error-on-warnings', 'knip', 'vitest run --coverage src/core']
const REST = ['vitest run --exclude "src/core/**"', ...process.argv.slice(2)].join(' ')

/** How it ended, and what it said where that was kept back: it would be told between the lines of another. */
const run = (command, isKept = false) =>
  new Promise((resolve) => {
    const child = spawn(command, { shell: true, stdio: ['ignore', isKept ? 'pipe' : 'inherit', 'inherit'] })
    let said = ''
    child.stdout?.on('data', (chunk) => {
      said += chunk
    })
    child.once('close', (code) => resolve({ command, said, isGood: code === 0 }))
  })

const inTurn = async (commands) => {
  for (const command of commands) {
    const ended = await run(command)
    if (!ended.isGood) return ended
  }
  return { isGood: true }
}

const end = (all) => {
  const red = all.filter(({ isGood }) => !isGood)
  for (const { command, said = '' } of red) console.error(`${said}\n✕ ${command}`)
  if (red.length > 0) process.exit(1)
}

end(await Promise.all([run(BESIDE, true), inTurn(FIRST)]))
end([await run(REST)])
