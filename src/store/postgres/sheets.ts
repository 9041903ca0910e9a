// Owns what this process knows of the sheets on which claims are written down (pawl.claims): those that were made together are on one,
// and whoever made it strikes it out when the last of them is over. What is forgotten here (a process that ended, a claim that
// somebody else ended) is found by the reaper when it is time to look at it: nothing depends on this but how short the list is.

/** What a claim is told by: no two are alike in it, not even of an action that was purged and came again under its id. */
export interface Listed {
  readonly id: string
  readonly token: number
  readonly nonce?: string | null
}

export interface Sheets {
  /** These were claimed together; by one claim, where they do not say by which. */
  readonly begin: (claims: readonly Listed[], nonce?: string) => void
  /** The claim of this action is over. */
  readonly end: (id: string) => void
  /** The sheets to strike out, for whoever goes to the server anyway. */
  readonly takeOver: () => readonly string[]
}

interface Sheet {
  readonly name: string
  left: number
}

/** Nobody has gone to the server for so many: somebody goes for them. */
const MANY = 50
/** More than ever run at once: of some nobody will ever hear again. */
const MOST = 100_000

/** As names are sorted, in which a slash comes behind the id. */
const comesFirst = (a: string, b: string): boolean => (a.length === b.length ? a < b : `${a}/` < `${b}/`)

/** The statement that claims and writes a sheet calls it the same: after the first of its claims, by their names. */
export const nameOf = (claims: readonly Listed[], nonce?: string): string => {
  let first = claims[0]!
  for (const one of claims) if (comesFirst(one.id, first.id)) first = one
  return `${first.id}/${first.token}/${nonce ?? first.nonce}`
}

export const createSheets = (strikeOut: (over: readonly string[]) => Promise<unknown>): Sheets => {
  const open = new Map<string, Sheet>()
  let over: string[] = []
  const takeOver = (): readonly string[] => {
    const taken = over
    over = []
    return taken
  }
  return {
    begin: (claims, nonce) => {
      if (claims.length === 0) return
      if (open.size > MOST) open.clear()
      const sheet = { name: nameOf(claims, nonce), left: claims.length }
      for (const { id } of claims) open.set(id, sheet)
    },
    end: (id) => {
      const sheet = open.get(id)
      if (sheet === undefined) return
      open.delete(id)
      sheet.left -= 1
      if (sheet.left > 0) return
      over.push(sheet.name)
      if (over.length >= MANY) strikeOut(takeOver()).catch(() => undefined)
    },
    takeOver,
  }
}
