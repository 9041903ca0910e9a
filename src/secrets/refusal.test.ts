import { describe, expect, it } from 'vitest'
import { classify } from '../core/classify.ts'
import { PawlError } from '../core/errors.ts'
import { refusal } from './refusal.ts'

describe('what a refusal means to an attempt', () => {
  it('F-023: a missing secret is tried again, and nothing was sent', () => {
    const error = refusal('secret_not_found', 'there is no secret crm_tokn', { suggestion: 'crm_token' })
    expect(error).toBeInstanceOf(PawlError)
    expect(error).toMatchObject({ code: 'secret_not_found', details: { suggestion: 'crm_token' } })
    expect(classify(error, 0)).toEqual({
      error: {
        type: 'secret_not_found',
        message: 'there is no secret crm_tokn; did you mean crm_token?',
        retryable: true,
        code: 'secret_not_found',
      },
      effect: 'none',
    })
  })

  it('S20: a wrong destination is not, whatever a policy lists', () => {
    const error = refusal('secret_destination_mismatch', 'not there')
    expect(classify(error, 0)).toMatchObject({
      error: { type: 'secret_destination_mismatch', retryable: false },
      effect: 'none',
      permanent: true,
    })
  })
})
