import fc from 'fast-check'
import { expect, it } from 'vitest'
import { sha256, sha256Hex } from '../core/hash.ts'
import { nativeSha256, nativeSha256Hex } from './native-hash.ts'

it('says what the core says, whatever the text, half characters too', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.string({ unit: 'grapheme' }), (a, b) => {
      for (const text of [a, b, `${a}\ud800${b}`, `\udc00${a}`]) {
        expect(nativeSha256Hex(text)).toBe(sha256Hex(text))
        expect([...nativeSha256(text)]).toEqual([...sha256(text)])
      }
    }),
  )
})
