// Owns where in the code something was thrown, as far as its stack says so: the innermost function and file that are neither
// Node's nor a library's. Lines are left out: they move with every change. Total, like classify.ts, for whatever was thrown.

/** `at [async] name (file:line:column)` or `at file:line:column`. */
const FRAME = /^ *at (?:async )?(?:(.{1,200}) \()?(.{1,1000}):\d+:\d+\)?$/
/** The thrower's helpers, and code that is not the project's own. */
const FOREIGN = /^node:|[\\/]node_modules[\\/]|[\\/]action-error\.[jt]s$/
const MAX_FRAMES = 50

const stackOf = (thrown: unknown): string => {
  try {
    const stack = thrown instanceof Error ? thrown.stack : undefined
    return typeof stack === 'string' ? stack : ''
  } catch {
    return ''
  }
}

/** As in `charge (billing.ts)`; undefined when no frame is the project's own. */
export const placeOf = (thrown: unknown): string | undefined => {
  for (const line of stackOf(thrown).split('\n', MAX_FRAMES)) {
    const [, name, file] = FRAME.exec(line) ?? []
    if (file === undefined || FOREIGN.test(file)) continue
    const base = file.split(/[\\/]/).at(-1)!
    return name === undefined ? base : `${name} (${base})`
  }
  return undefined
}
