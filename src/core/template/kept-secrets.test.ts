import { expect, it } from 'vitest'
import { keptSecrets } from './kept-secrets.ts'
import { render } from './render.ts'
import { scopeOf } from './scope.ts'
import { fillSecrets } from './secrets.ts'

const rendered = render(
  { headers: { auth: 'Bearer {{secrets.token}}', 'x/y~z': '{{secrets.a}}:{{secrets.b}}' }, to: 'ada' },
  scopeOf({ now: 0 }),
)
const { secrets } = rendered
const filled = (config: Parameters<typeof keptSecrets>[0]) =>
  fillSecrets({ value: config, secrets: keptSecrets(config, secrets) }, (name) => `<${name}>`)

it('an edit beside the secrets keeps them where they are', () => {
  const config = { ...(rendered.value as object), to: 'bob' }
  expect(keptSecrets(config, secrets)).toEqual(secrets)
})

it('an edit of the text around a secret moves it', () => {
  expect(
    filled({ headers: { auth: 'Basic   {{secrets.token}}!', 'x/y~z': '{{secrets.a}} and {{secrets.b}}' } }),
  ).toEqual({
    headers: { auth: 'Basic   <token>!', 'x/y~z': '<a> and <b>' },
  })
})

it('a secret goes with its place, and with the text that named it', () => {
  expect(filled({ headers: { auth: 'none' } })).toEqual({ headers: { auth: 'none' } })
  expect(filled({ headers: { auth: 5 } })).toEqual({ headers: { auth: 5 } })
  expect(filled('gone')).toBe('gone')
})

it('text that merely looks like a reference stays text: no secret appears where none was', () => {
  expect(filled({ to: '{{secrets.token}}', headers: { auth: '{{secrets.other}}' } })).toEqual({
    to: '{{secrets.token}}',
    headers: { auth: '{{secrets.other}}' },
  })
})

it('half of a text’s secrets is refused, and says where', () => {
  expect(() => keptSecrets({ headers: { 'x/y~z': '{{secrets.b}}' } }, secrets)).toThrow(
    expect.objectContaining({
      code: 'config_invalid',
      details: expect.objectContaining({ path: '/headers/x~1y~0z' }),
    }),
  )
})
