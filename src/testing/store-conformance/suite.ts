// The one list of cases. A store is done when all of them are green on it; none is skipped for any store.

import { advanceCases } from './advance.ts'
import { agendaCases } from './agenda.ts'
import { apartCases } from './apart.ts'
import type { Case } from './case.ts'
import { claimCases } from './claim.ts'
import { commitCases } from './commit.ts'
import { controlCases } from './control.ts'
import { crowdCases } from './crowd.ts'
import { dedupCases } from './dedup.ts'
import { eagerCases } from './eager.ts'
import { feedCases } from './feed.ts'
import { fenceCases } from './fences.ts'
import { frameCases } from './frames.ts'
import { gatheringCases } from './gathering.ts'
import { headCases } from './heads.ts'
import { healthCases } from './health.ts'
import { inboxCases } from './inbox.ts'
import { keeperCases } from './keeper.ts'
import { limitCases } from './limits.ts'
import { lineCases } from './lines.ts'
import { namelessCases } from './nameless.ts'
import { neighbourCases } from './neighbours.ts'
import { occurrenceCases } from './occurrences.ts'
import { officeCases } from './office.ts'
import { outboxCases } from './outbox.ts'
import { pageCases } from './pages.ts'
import { pauseCases } from './pause.ts'
import { readCases } from './reads.ts'
import { rivalCases } from './rivals.ts'
import { settleCases } from './settle.ts'
import { standstillCases } from './standstill.ts'
import { strangerCases } from './strangers.ts'
import { sureCases } from './sure.ts'
import { taskCases } from './tasks.ts'
import { templateCases } from './templates.ts'
import { tenancyCases } from './tenancy.ts'
import { transactionCases } from './transaction.ts'
import { alertCases } from './triage-alerts.ts'
import { bulkCases } from './triage-bulk.ts'
import { unreadableCases } from './unreadable.ts'
import { valueCases } from './values.ts'
import { vaultCases } from './vault.ts'
import { waitingCases } from './waiting.ts'
import { workerCases } from './workers.ts'

export const CONFORMANCE: readonly Case[] = [
  ...commitCases,
  ...advanceCases,
  ...sureCases,
  ...settleCases,
  ...claimCases,
  ...eagerCases,
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
  ...namelessCases,
  ...fenceCases,
  ...apartCases,
  ...keeperCases,
  ...crowdCases,
  ...transactionCases,
  ...valueCases,
  ...unreadableCases,
  ...vaultCases,
  ...officeCases,
  ...agendaCases,
  ...workerCases,
  ...limitCases,
  ...taskCases,
  ...occurrenceCases,
  ...outboxCases,
  ...templateCases,
  ...healthCases,
  ...rivalCases,
  ...bulkCases,
  ...alertCases,
  ...gatheringCases,
  ...frameCases,
  ...pageCases,
  ...strangerCases,
  ...lineCases,
]
