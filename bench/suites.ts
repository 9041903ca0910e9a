// The suites of the bench, by name: `--only=` takes a name or a part of one. A new one is a function from the scene, and the
// store it runs on, to figures.

import { eventFigures } from './events.ts'
import type { Figure } from './figure.ts'
import type { Ground } from './ground/ground.ts'
import { growthFigures } from './growth.ts'
import { limitFigures } from './limits.ts'
import { loopFigures } from './loops.ts'
import { processFigures } from './processes.ts'
import { punctualFigures } from './punctual.ts'
import { coreFigures } from './pure/core.ts'
import { timeFigures } from './pure/time.ts'
import { queueFigures } from './queues.ts'
import { readFigures } from './reads.ts'
import type { Scene } from './scene.ts'

type Suite = (scene: Scene) => Promise<readonly Figure[]>

const ON_STORES: Readonly<Record<string, (scene: Scene, ground: Ground) => Promise<readonly Figure[]>>> = {
  queue: queueFigures,
  loop: loopFigures,
  events: eventFigures,
  limits: limitFigures,
  punctual: punctualFigures,
  growth: growthFigures,
  reads: readFigures,
  processes: processFigures,
}

export const SUITES: Readonly<Record<string, Suite>> = {
  'pure/time': ({ extent }) => timeFigures(extent.pure),
  'pure/core': ({ extent, peers }) => coreFigures(extent.pure, (make) => peers(['a library', make])),
  ...Object.fromEntries(
    (['sqlite', 'postgres'] as const).flatMap((store) =>
      Object.entries(ON_STORES).map(([name, suite]): [string, Suite] => [
        `${store}/${name}`,
        async (scene) => suite(scene, await scene[store]()),
      ]),
    ),
  ),
}

/** Those whose name, or a part of it, is among the words; all when there are none. */
export const chosen = (words: readonly string[]): readonly (readonly [string, Suite])[] =>
  Object.entries(SUITES).filter(
    ([name]) => words.length === 0 || words.some((word) => name === word || name.split('/').includes(word)),
  )
