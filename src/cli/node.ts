// Owns what the process of the command line must be: the oldest Node that can run it and the flags that take dangerous
// abilities away. bin/pawl.mjs says the same in words that older Nodes can read; a test compares.

export const NEEDED_NODE = [22, 18] as const
export const NEEDED_FLAGS: readonly string[] = [
  '--disallow-code-generation-from-strings',
  '--disable-proto=delete',
]
