// Owns the one assertion of the type tests: a type is exactly another, not merely assignable to it.

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

/** `exactly<Expected>()<Found>()` compiles when both are one type. */
export const exactly =
  <Expected>() =>
  <Found>(
    ..._: Same<Expected, Found> extends true ? [] : [differs: { expected: Expected; found: Found }]
  ): void =>
    undefined
