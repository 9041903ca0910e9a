// Run as a program under a host zone of its own: prints what time code answers there, for host-zone.test.ts.

import { admit } from '../../src/core/time/admit.ts'
import { DEFAULT_DST } from '../../src/core/time/dst.ts'
import { printRule } from '../../src/core/time/rule.ts'
import { instantOf } from '../../src/core/time/rule-instant.ts'
import { parseRule } from '../../src/core/time/rule-words.ts'
import { parseWindow } from '../../src/core/time/window.ts'
import { localAt, transitionsBetween } from '../../src/core/time/zone.ts'
import { ALL_ZONES } from './intl-oracle.ts'

const rule = parseRule('42 days before at 02:30')
const answers = ALL_ZONES.map((zone) => {
  const context = { anchors: { day: '2026-05-10' }, anchor: 'day', steps: {}, zone, dst: DEFAULT_DST }
  const moment = instantOf(rule, context)
  const at = moment.kind === 'at' ? moment.at : 0
  const window = parseWindow({ timezone: zone, weekdays: 'weekdays', from: '09:00', to: '17:00' })
  return [zone, moment, localAt(at, zone), transitionsBetween(zone, at, at + 4e10), admit(window, at, at)]
})

process.stdout.write(
  JSON.stringify({
    host: Intl.DateTimeFormat().resolvedOptions().timeZone,
    rule: printRule(rule),
    answers,
  }),
)
