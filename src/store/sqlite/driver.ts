// Owns the way node:sqlite comes into the process: Node calls it experimental until version 26 and says so on stderr,
// which is no news to whoever runs Pawl. Every other warning passes.

type Sqlite = typeof import('node:sqlite')

let loaded: Promise<Sqlite> | undefined

const load = async (): Promise<Sqlite> => {
  const emit = process.emitWarning
  process.emitWarning = ((warning: string | Error, ...rest: never[]) => {
    if (!String(warning).includes('SQLite is an experimental feature')) emit(warning, ...rest)
  }) as typeof process.emitWarning
  try {
    return await import('node:sqlite')
  } finally {
    process.emitWarning = emit
  }
}

export const loadSqlite = (): Promise<Sqlite> => {
  loaded ??= load()
  return loaded
}
