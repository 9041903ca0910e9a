// Owns the list of all routes. What is not in it is not served, not described and not allowed.

import type { Route } from './route.ts'
import { actionRoutes } from './routes/actions.ts'
import { bulkRoutes } from './routes/bulk.ts'
import { deadLetterRoutes } from './routes/dead-letters.ts'
import { definitionRoutes } from './routes/definitions.ts'
import { executionRoutes } from './routes/executions.ts'
import { houseRoutes } from './routes/house.ts'
import { keyRoutes } from './routes/keys.ts'
import { laterRoutes } from './routes/later.ts'
import { recurringRoutes } from './routes/recurring.ts'
import { secretRoutes } from './routes/secrets.ts'
import { streamRoutes } from './routes/stream.ts'
import { taskRoutes } from './routes/tasks.ts'

export const ROUTES: readonly Route[] = [
  ...houseRoutes,
  ...definitionRoutes,
  ...executionRoutes,
  ...actionRoutes,
  ...deadLetterRoutes,
  ...bulkRoutes,
  ...taskRoutes,
  ...recurringRoutes,
  ...secretRoutes,
  ...keyRoutes,
  ...streamRoutes,
  ...laterRoutes,
]
