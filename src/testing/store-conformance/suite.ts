// The one list of cases. A store is done when all of them are green on it; none is skipped for any store.

import { advanceCases } from './advance.ts'
import type { Case } from './case.ts'
import { claimCases } from './claim.ts'
import { commitCases } from './commit.ts'
import { controlCases } from './control.ts'
import { dedupCases } from './dedup.ts'
import { feedCases } from './feed.ts'
import { headCases } from './heads.ts'
import { inboxCases } from './inbox.ts'
import { keeperCases } from './keeper.ts'
import { pauseCases } from './pause.ts'
import { readCases } from './reads.ts'
import { rivalCases } from './rivals.ts'
import { settleCases } from './settle.ts'
import { tenancyCases } from './tenancy.ts'
import { transactionCases } from './transaction.ts'
import { valueCases } from './values.ts'

export const CONFORMANCE: readonly Case[] = [
  ...commitCases,
  ...advanceCases,
  ...settleCases,
  ...claimCases,
  ...headCases,
  ...inboxCases,
  ...dedupCases,
  ...controlCases,
  ...pauseCases,
  ...readCases,
  ...feedCases,
  ...tenancyCases,
  ...keeperCases,
  ...transactionCases,
  ...valueCases,
  ...rivalCases,
]
