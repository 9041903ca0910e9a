// Owns what is said while the bench runs, on standard error: where it is, and who is not there. What was missing is kept
// for the report, so that nobody is left out silently.

const missing = new Set<string>()

export const say = (text: string): void => void process.stderr.write(`bench: ${text}\n`)

/** One line, once, however often it is missed. */
export const miss = (who: string, why: unknown): void => {
  const reason = (why instanceof Error ? why.message : String(why)).split('\n')[0]!.slice(0, 200)
  const line = `${who} is left out: ${reason}`
  if (missing.has(line)) return
  missing.add(line)
  say(line)
}

export const leftOut = (): readonly string[] => [...missing]
