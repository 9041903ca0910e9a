// Pawl as the bench opens it: no runners but those that are given, and silent about being busy, which is what is measured.

import { Pawl, type PawlOptions } from '../src/index.ts'

export const openPawl = (options: PawlOptions): Promise<Pawl> =>
  Pawl.open({
    builtIns: false,
    log: (level, message, fields) => {
      if (level === 'error') console.error(`pawl ${level}: ${message} ${JSON.stringify(fields)}`)
    },
    ...options,
  })
