// Owns what this process knows of the sheets on which claims are written down (pawl.claims): those that were made together are on one,
// and whoever made it strikes it out when the last of them is over. What is forgotten here (a process that ended, a claim that
// somebody else ended) is found by the reaper when it is time to look at it: nothing depends on this but how short the list is.

/** What a claim is told by: no two are alike in it, not even of an action that was purged and came again under its id. */
export interface Listed {
  readonly id: string
  readonly token: number
  readonly nonce: string | null
}

export interface Sheets {
  /** These were claimed together. */
  readonly begin: (claims: readonly Listed[]) => void
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

/** The statement that claims and writes a sheet calls it the same. */
export const nameOf = (claims: readonly Listed[]): string => {
  let least: string | undefined
  for (const { id, token, nonce } of claims) {
    const name = `${id}/${token}/${nonce}`
    if (least === undefined || name < least) least = name
  }
  return least!
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
    begin: (claims) => {
      if (claims.length === 0) return
      if (open.size > MOST) open.clear()
      const sheet = { name: nameOf(claims), left: claims.length }
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
