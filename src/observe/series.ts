// Owns how many values a label may have: types, machines and states are named by users, and a time series is kept for each.
// What comes after the bound is counted as `other`, so that a stranger cannot fill the memory of whoever collects.

export type Fold = (value: string) => string

export const createFold = (max: number): Fold => {
  const known = new Set<string>()
  return (value) => {
    if (known.has(value)) return value
    if (known.size >= max) return 'other'
    known.add(value)
    return value
  }
}
