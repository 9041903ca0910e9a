// Owns sets of numbers in words. Each form stands for exactly one set, so different sets never read the same.

/** "a", "a and b", "a, b and c". */
export const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`

const ordinal = (value: number): string => {
  const isTeen = value % 100 >= 11 && value % 100 <= 13
  return `${value}${isTeen ? 'th' : (['th', 'st', 'nd', 'rd'][value % 10] ?? 'th')}`
}

/** The step between all neighbours, when there are three values or more and it is always the same. */
const evenStep = (values: readonly number[]): number | undefined => {
  const step = values[1]! - values[0]!
  const isEven = values.every((value, index) => value === values[0]! + index * step)
  return values.length > 2 && isEven ? step : undefined
}

/** How often a field comes round when it is divided evenly: 0, 15, 30, 45 of 60 is every 15. */
export const roundStep = (values: readonly number[], size: number): number | undefined => {
  const step = evenStep(values)
  return step !== undefined && values[0] === 0 && step * values.length === size ? step : undefined
}

/** "minute 5", "minutes 5 and 20", "minutes 5 through 9", "every 7th minute from 0 through 56". */
export const counted = (
  noun: string,
  values: readonly number[],
  print: (value: number) => string = String,
): string => {
  const step = evenStep(values)
  const span = `${print(values[0]!)} through ${print(values.at(-1)!)}`
  if (step === 1) return `${noun}s ${span}`
  if (step !== undefined) return `every ${ordinal(step)} ${noun} from ${span}`
  return `${noun}${values.length === 1 ? '' : 's'} ${listed(values.map(print))}`
}

/** "January", "January and March", "Monday through Thursday". */
export const named = (values: readonly number[], print: (value: number) => string): string =>
  evenStep(values) === 1 ? `${print(values[0]!)} through ${print(values.at(-1)!)}` : listed(values.map(print))
