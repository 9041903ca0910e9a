// Makes a certificate authority and certificates for the tests: X.509 in DER, written here because Node signs but does
// not write certificates, and a committed pair would expire one day.

import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

const tlv = (tag: number, ...contents: readonly Uint8Array[]): Buffer => {
  const body = Buffer.concat(contents)
  const { length } = body
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), body])
}
const sequence = (...contents: readonly Uint8Array[]): Buffer => tlv(0x30, ...contents)
const oid = (hex: string): Buffer => tlv(0x06, Buffer.from(hex, 'hex'))
const utf8 = (text: string): Buffer => tlv(0x0c, Buffer.from(text))
const time = (text: string): Buffer => tlv(0x17, Buffer.from(text))

const ECDSA_SHA256 = sequence(oid('2a8648ce3d040302'))
const nameOf = (common: string): Buffer => sequence(tlv(0x31, sequence(oid('550403'), utf8(common))))
const extension = (id: string, value: Buffer): Buffer =>
  sequence(oid(id), tlv(0x01, Buffer.from([255])), tlv(0x04, value))
const basicConstraints = (isAuthority: boolean): Buffer =>
  extension('551d13', sequence(...(isAuthority ? [tlv(0x01, Buffer.from([255]))] : [])))
const alternativeNames = (names: readonly string[]): Buffer =>
  extension(
    '551d11',
    sequence(
      ...names.map((name) =>
        /^[0-9.]+$/.test(name)
          ? tlv(0x87, Buffer.from(name.split('.').map(Number)))
          : tlv(0x82, Buffer.from(name)),
      ),
    ),
  )

interface Certificate {
  readonly subject: string
  readonly issuer: string
  readonly key: KeyObject
  readonly signer: KeyObject
  readonly until: string
  readonly extensions: readonly Buffer[]
}

let serial = 1

const write = ({ subject, issuer, key, signer, until, extensions }: Certificate): string => {
  const body = sequence(
    tlv(0xa0, tlv(0x02, Buffer.from([2]))),
    tlv(0x02, Buffer.from([serial++])),
    ECDSA_SHA256,
    nameOf(issuer),
    sequence(time('200101000000Z'), time(until)),
    nameOf(subject),
    key.export({ type: 'spki', format: 'der' }),
    tlv(0xa3, sequence(...extensions)),
  )
  const signature = sign('sha256', body, signer)
  const der = sequence(body, ECDSA_SHA256, tlv(0x03, Buffer.from([0]), signature))
  const lines = der.toString('base64').match(/.{1,64}/g)!
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}

const pair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })
const FAR = '491231235959Z'

export interface Authority {
  readonly ca: string
  readonly issue: (
    names: readonly string[],
    until?: string,
  ) => { readonly key: string; readonly cert: string }
}

export const createAuthority = (): Authority => {
  const root = pair()
  const issuer = `Authority ${serial}`
  const ca = write({
    subject: issuer,
    issuer,
    key: root.publicKey,
    signer: root.privateKey,
    until: FAR,
    extensions: [basicConstraints(true)],
  })
  const issue: Authority['issue'] = (names, until = FAR) => {
    const own = pair()
    const extensions = [basicConstraints(false), alternativeNames(names)]
    const cert = write({
      subject: names[0]!,
      issuer,
      key: own.publicKey,
      signer: root.privateKey,
      until,
      extensions,
    })
    return { key: own.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string, cert }
  }
  return { ca, issue }
}
