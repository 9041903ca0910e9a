// Owns the decision whether a destination may be reached, and at which addresses. Once per connection, never cached:
// G1  A name is resolved once; what is connected to is what was checked (no second lookup to rebind).
// G2  All answers must be allowed, else none is used: a mixed answer is an attack, not a choice.
// G3  An IPv6 address is public only if every IPv4 address inside it is. To allow the inner one is not to allow the
//     outer: behind NAT64, 127.0.0.1 is the translator's own.

import { lookup } from 'node:dns/promises'
import { PawlError } from '../core/errors.ts'
import { type Address, embeddedIn, readAddress } from './address.ts'
import type { AllowList } from './allow-list.ts'
import { unreached, unreachedBy } from './faults.ts'
import type { Host } from './host.ts'
import { blockOf } from './special-blocks.ts'

export type Resolve = (
  host: string,
) => Promise<readonly { readonly address: string; readonly family: 4 | 6 }[]>

export interface Place {
  readonly host: Host
  readonly port: number
}

export interface Guard {
  /** Refuses what can be known without DNS. */
  readonly check: (place: Place) => void
  /** Resolves and refuses, or gives the addresses to connect to, in order. */
  readonly admit: (place: Place) => Promise<readonly Address[]>
}

interface GuardOptions {
  readonly allow: AllowList
  readonly ports: ReadonlySet<number>
  readonly resolve: Resolve
}

/** RFC 6761, 6762, 7686, 8375, ICANN's .internal: names that are never in the public DNS. */
const PRIVATE_NAME = /(?:^|\.)(?:localhost|local|internal|home\.arpa|onion|invalid)$/
const isLocalhost = (name: string): boolean => /(?:^|\.)localhost$/.test(name)
const LOOPBACK = ['127.0.0.1', '::1'].map((text) => readAddress(text)!)

export const systemResolve: Resolve = async (host) =>
  (await lookup(host, { all: true, order: 'verbatim' })) as Awaited<ReturnType<Resolve>>

const isPort = (port: number): boolean => Number.isInteger(port) && port >= 1 && port <= 65_535

const forbidden = (message: string): PawlError =>
  new PawlError('destination_forbidden', message, {
    expected: 'a public destination, or one in the egress allow list',
  })

/** Why an address may not be reached; undefined when it may. `isNamed`: the operator allowed the name that led here. */
const against = (address: Address, allow: AllowList, isNamed: boolean): string | undefined => {
  if (allow.hasAddress(address)) return undefined
  for (const each of [address, ...embeddedIn(address)]) {
    const block = blockOf(each)
    if (block === undefined || (isNamed && !block.never)) continue
    const inside = each === address ? '' : ` inside ${address.text}`
    return `${each.text}${inside} belongs to ${block.cidr} (${block.name})`
  }
  return undefined
}

/** By definition the machine's own (RFC 6761): not a question for DNS, so only what is allowed is taken of it. */
const loopbackOf = (name: string, allow: AllowList): readonly Address[] =>
  LOOPBACK.filter((address) => allow.hasName(name) || allow.hasAddress(address))

const answersFor = async (name: string, { allow, resolve }: GuardOptions): Promise<readonly Address[]> => {
  if (isLocalhost(name)) return loopbackOf(name, allow)
  const answers = await resolve(name).catch((cause: unknown) => {
    throw unreachedBy(name, cause)
  })
  if (answers.length === 0) throw unreached('ENOTFOUND', `${name} has no address`)
  return answers.map(({ address }) => {
    const read = readAddress(address)
    if (read !== undefined) return read
    throw forbidden(`${name} resolves to "${address.slice(0, 80)}", which is no address`)
  })
}

export const createGuard = (options: GuardOptions): Guard => {
  const { allow, ports } = options
  const isNamed = ({ host }: Place): boolean => host.kind === 'name' && allow.hasName(host.text)

  const assertPort = ({ host, port }: Place, mayPass: boolean): void => {
    if (ports.has(port) || (mayPass && isPort(port))) return
    throw forbidden(`port ${port} of ${host.text} is not allowed; these are: ${[...ports].join(', ')}`)
  }
  const assertAddress = (place: Place, address: Address): void => {
    const why = against(address, allow, isNamed(place))
    if (why !== undefined) throw forbidden(`${place.host.text} is not public: ${why}`)
  }
  /** A private name, or any port, may lead to an allowed block: only DNS can tell, except for localhost. */
  const mayBeAllowed = (name: string): boolean =>
    isLocalhost(name) ? loopbackOf(name, allow).length > 0 : allow.hasBlocks || allow.hasName(name)

  const check = (place: Place): void => {
    const { host } = place
    if (host.kind === 'address') {
      assertAddress(place, host.address)
      assertPort(place, allow.hasAddress(host.address))
      return
    }
    if (!mayBeAllowed(host.text) && PRIVATE_NAME.test(host.text))
      throw forbidden(`${host.text} is a name of a private network`)
    assertPort(place, mayBeAllowed(host.text))
  }

  const admit = async (place: Place): Promise<readonly Address[]> => {
    check(place)
    const { host } = place
    if (host.kind === 'address') return [host.address]
    const addresses = await answersFor(host.text, options)
    for (const address of addresses) assertAddress(place, address)
    assertPort(place, isNamed(place) || addresses.every(allow.hasAddress))
    return addresses
  }

  return { check, admit }
}
