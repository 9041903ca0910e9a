// The one list of cases. A store is done when all of them are green on it; none is skipped for any store.

import { advanceCases } from './advance.ts'
import { apartCases } from './apart.ts'
import type { Case } from './case.ts'
import { claimCases } from './claim.ts'
import { commitCases } from './commit.ts'
import { controlCases } from './control.ts'
import { dedupCases } from './dedup.ts'
import { feedCases } from './feed.ts'
import { fenceCases } from './fences.ts'
import { headCases } from './heads.ts'
import { inboxCases } from './inbox.ts'
import { keeperCases } from './keeper.ts'
import { neighbourCases } from './neighbours.ts'
import { pauseCases } from './pause.ts'
import { readCases } from './reads.ts'
import { rivalCases } from './rivals.ts'
import { settleCases } from './settle.ts'
import { standstillCases } from './standstill.ts'
import { tenancyCases } from './tenancy.ts'
import { transactionCases } from './transaction.ts'
import { unreadableCases } from './unreadable.ts'
import { valueCases } from './values.ts'
import { vaultCases } from './vault.ts'
import { waitingCases } from './waiting.ts'
import { workerCases } from './workers.ts'

export const CONFORMANCE: readonly Case[] = [
  ...commitCases,
  ...advanceCases,
  ...settleCases,
  ...claimCases,
  ...headCases,
  ...inboxCases,
  ...dedupCases,
  ...controlCases,
  ...waitingCases,
  ...pauseCases,
  ...standstillCases,
  ...readCases,
  ...feedCases,
  ...tenancyCases,
  ...neighbourCases,
  ...fenceCases,
  ...apartCases,
  ...keeperCases,
  ...transactionCases,
  ...valueCases,
  ...unreadableCases,
  ...vaultCases,
  ...workerCases,
  ...rivalCases,
]
