// Owns how instants are shown: RFC 3339, in UTC, to the millisecond.

export const instant = (at: number): string => new Date(at).toISOString()

/** A member of that name, where there is an instant. */
export const instantAs = <Name extends string>(
  name: Name,
  at: number | undefined,
): Partial<Record<Name, string>> =>
  at === undefined ? {} : ({ [name]: instant(at) } as Record<Name, string>)
