import { describe, expect, it } from 'vitest'
import { createLogging, type LoggingOptions, prettyLine } from './logging.ts'
import { createFold } from './series.ts'

const written = (options: Partial<LoggingOptions> = {}) => {
  const lines: string[] = []
  const sinkOf = createLogging({
    level: 'info',
    format: 'json',
    write: (line) => lines.push(line),
    ...options,
  })
  return { sinkOf, lines, parsed: () => lines.map((line) => JSON.parse(line)) }
}

describe('a line', () => {
  it('is one JSON object with the words people search for', () => {
    const { sinkOf, parsed } = written()
    sinkOf('worker')('warn', 'an attempt broke', {
      action: 'act_1',
      type: 'email',
      execution: 'l_1',
      worker: 'wrk_1',
      attempt: 2,
      error: { type: 'timeout', message: 'too slow' },
    })
    expect(parsed()).toEqual([
      {
        level: 'warn',
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        component: 'worker',
        event: 'an_attempt_broke',
        action_id: 'act_1',
        action_type: 'email',
        execution_id: 'l_1',
        worker_id: 'wrk_1',
        attempt: 2,
        'error.type': 'timeout',
        'error.message': 'too slow',
        msg: 'an attempt broke',
      },
    ])
  })

  it('keeps payloads out unless they are asked for', () => {
    const fields = { config: { to: 'ada' }, result: 1, event: 'x' }
    const [without, withThem] = [written(), written({ payloads: true })]
    without.sinkOf('engine')('info', 'm', fields)
    withThem.sinkOf('engine')('info', 'm', fields)
    expect(without.lines[0]).not.toContain('ada')
    expect(withThem.lines[0]).toContain('ada')
  })

  it('an error that is a text is a message', () => {
    const { sinkOf, parsed } = written()
    sinkOf('engine')('error', 'm', { error: 'boom' })
    expect(parsed()[0]).toMatchObject({ 'error.message': 'boom' })
  })

  it('for people it is short', () => {
    const { sinkOf, lines } = written({ format: 'pretty' })
    sinkOf('http')('error', 'it broke', { requestId: 'r1', n: 3 })
    expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d\.\d{3} ✕ http {4}it broke {2}request_id=r1 {2}n=3$/)
    expect(prettyLine({ time: '2026-01-01T10:11:12.345Z', level: 'odd', component: 'x', msg: 'm' })).toBe(
      '10:11:12.345   x       m',
    )
  })
})

describe('levels', () => {
  it('hold for all components, and for one where it has its own', () => {
    const { sinkOf, parsed } = written({ level: 'warn', levels: ['http=debug', 'engine=silent'] })
    for (const component of ['http', 'engine', 'worker'] as const)
      for (const level of ['debug', 'info', 'warn', 'error'] as const) sinkOf(component)(level, level, {})
    expect(parsed().map(({ component, level }) => `${component}:${level}`)).toEqual([
      'http:debug',
      'http:info',
      'http:warn',
      'http:error',
      'worker:warn',
      'worker:error',
    ])
  })

  it.each([
    ['htpt=warn', 'http'],
    ['http=wran', 'warn'],
  ])('%s is refused with the nearest', (text, suggestion) => {
    const told = expect.objectContaining({ details: expect.objectContaining({ suggestion }) })
    expect(() => written({ levels: [text] })).toThrow(told)
  })
})

it('label values after the bound are `other`, those before it stay themselves', () => {
  const fold = createFold(2)
  expect(['a', 'b', 'c', 'a', 'd', 'b'].map(fold)).toEqual(['a', 'b', 'other', 'a', 'other', 'b'])
})
