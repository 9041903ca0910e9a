import { describe, expect, it } from 'vitest'
import type { PawlError } from '../core/errors.ts'
import { assertOwnHost, type Called, isLoopbackHost, type OwnHosts } from './own-host.ts'

const LOCAL: OwnHosts = { isLoopback: true, hosts: [] }
const NAMED: OwnHosts = { isLoopback: false, hosts: ['pawl.example', 'ops.example:8443'] }
const WORLD: OwnHosts = { isLoopback: false, hosts: [] }

const codeOf = (called: Partial<Called>, own: OwnHosts): string => {
  try {
    assertOwnHost(
      { host: 'localhost:4400', origin: undefined, fetchSite: undefined, isSafe: true, ...called },
      own,
    )
    return 'ok'
  } catch (error) {
    return (error as PawlError).code
  }
}

describe('Host', () => {
  it.each([
    ['localhost', LOCAL, 'ok'],
    ['LOCALHOST:80', LOCAL, 'ok'],
    ['localhost.', LOCAL, 'ok'],
    ['127.0.0.1:4400', LOCAL, 'ok'],
    ['127.9.9.9', LOCAL, 'ok'],
    ['[::1]:4400', LOCAL, 'ok'],
    [undefined, LOCAL, 'misdirected'],
    ['', LOCAL, 'misdirected'],
    ['evil.example', LOCAL, 'misdirected'],
    ['localhost.evil.example', LOCAL, 'misdirected'],
    ['127.0.0.1.evil.example', LOCAL, 'misdirected'],
    ['127.evil.0.0.1', LOCAL, 'misdirected'],
    ['localhost@evil.example', LOCAL, 'misdirected'],
    ['localhost/evil', LOCAL, 'misdirected'],
    ['10.0.0.1', LOCAL, 'misdirected'],
    ['pawl.example', NAMED, 'ok'],
    ['PAWL.example:443', NAMED, 'ok'],
    ['ops.example:8443', NAMED, 'ok'],
    ['ops.example:9', NAMED, 'misdirected'],
    ['localhost', NAMED, 'ok'],
    ['other.example', NAMED, 'misdirected'],
    ['anything.example', WORLD, 'ok'],
    ['not a host', WORLD, 'misdirected'],
  ])('%j', (host, own, expected) => {
    expect(codeOf({ host }, own)).toBe(expected)
  })
})

describe('another site', () => {
  it.each([
    [{ fetchSite: 'cross-site' }, 'cross_site'],
    [{ fetchSite: 'same-site' }, 'cross_site'],
    [{ fetchSite: 'same-origin' }, 'ok'],
    [{ fetchSite: 'none' }, 'ok'],
    [{ origin: 'http://localhost:4400' }, 'ok'],
    [{ origin: 'https://LOCALHOST:4400' }, 'ok'],
    [{ origin: 'http://localhost:4401' }, 'cross_site'],
    [{ origin: 'null' }, 'cross_site'],
    [{ origin: 'https://evil.example' }, 'cross_site'],
  ])('%j', (called, expected) => {
    expect(codeOf({ ...called, isSafe: false }, LOCAL)).toBe(expected)
    expect(codeOf({ ...called, isSafe: true }, LOCAL)).toBe('ok')
  })
})

it.each([
  ['127.0.0.1', true],
  ['::1', true],
  ['localhost', true],
  ['0.0.0.0', false],
  ['::', false],
  ['10.0.0.1', false],
])('%s on loopback: %j', (host, expected) => {
  expect(isLoopbackHost(host)).toBe(expected)
})
