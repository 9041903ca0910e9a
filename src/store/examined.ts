// What a look at a store tells before anything is opened or changed: is it there, which migrations it has and lacks, which
// of its settings decide whether an acknowledged commit survives, and what its clock says.

export interface Durability {
  readonly name: string
  readonly value: string
  readonly isSafe: boolean
  /** What to do when it is not. */
  readonly advice?: string
}

export interface Examined {
  /** `SQLite 3.50.4`, `PostgreSQL 18.4`. */
  readonly engine: string
  /** Nothing of Pawl is there yet: opening it makes it. */
  readonly isNew: boolean
  readonly applied: readonly string[]
  /** What `pawl migrate` would apply. */
  readonly missing: readonly string[]
  /** What a newer Pawl has applied. */
  readonly unknown: readonly string[]
  readonly durability: readonly Durability[]
  /** The database's clock, epoch milliseconds. */
  readonly now: number
}

/** Which of the known migrations a ledger has, lacks, and has beyond them. */
export const compareLedger = (
  ledger: readonly { readonly number: number; readonly name: string }[],
  known: readonly { readonly number: number; readonly name: string }[],
): Pick<Examined, 'applied' | 'missing' | 'unknown'> => {
  const has = (list: readonly { readonly number: number }[], number: number): boolean =>
    list.some((entry) => entry.number === number)
  return {
    applied: ledger.map(({ name }) => name),
    missing: known.filter(({ number }) => !has(ledger, number)).map(({ name }) => name),
    unknown: ledger.filter(({ number }) => !has(known, number)).map(({ name }) => name),
  }
}
