import { describe, expect, it } from 'vitest'
import type { Json } from '../json.ts'
import { render, type SecretSlot } from './render.ts'
import { scopeOf } from './scope.ts'
import { fillSecrets, secretNames } from './secrets.ts'

const payload = {
  certificateHash: '0x5f3a',
  terminationDate: '2026-12-31',
  checks: [{ name: 'iban', ok: true }],
}
const scope = scopeOf({
  execution: {
    id: 'l_882',
    state: 'notice_received',
    variables: {
      applicantId: 42,
      certificateMetadataUri: 'ipfs://meta',
      contractTemplateId: 'tpl_7',
      crmWebhookUrl: 'https://crm.example/hooks/1',
      landlordEmail: 'ada@example.com',
      propertyAddress: '5 Elm Street, "Top flat"',
      propertyId: 'p_1',
      recipientAddress: '0xabc',
      recordId: 'rec/9',
      signerEmail: 'sig@example.com',
      signerName: 'Sig N.',
      tenantEmail: 'ten@example.com',
      tenantName: 'Ten Ant',
      tenantPhone: '+441234567890',
    },
  },
  event: { id: 'evt_1', type: 'data.validated', payload },
  now: Date.UTC(2026, 10, 16, 9, 30, 0, 5),
})
const NOW = '2026-11-16T09:30:00.005Z'

const whole = (pointer: string, name: string): SecretSlot => ({
  pointer,
  start: 0,
  end: `{{secrets.${name}}}`.length,
  name,
})

interface Fixture {
  readonly id: string
  readonly config: Json
  readonly value: Json
  readonly secrets: readonly SecretSlot[]
  readonly filled: Json
}

const MINT: Fixture = {
  id: 'F-017 mint_certificate_nft',
  config: {
    blockchain: 'ethereum',
    network: 'base',
    contractAddress: '{{secrets.certificate_contract_address}}',
    function: 'mint',
    parameters: {
      to: '{{execution.variables.recipientAddress}}',
      tokenURI: '{{execution.variables.certificateMetadataUri}}',
      certificateData: '{{message.payload.certificateHash}}',
    },
    gasLimit: 200000,
    gasPrice: 'auto',
  },
  value: {
    blockchain: 'ethereum',
    network: 'base',
    contractAddress: '{{secrets.certificate_contract_address}}',
    function: 'mint',
    parameters: { to: '0xabc', tokenURI: 'ipfs://meta', certificateData: '0x5f3a' },
    gasLimit: 200000,
    gasPrice: 'auto',
  },
  secrets: [whole('/contractAddress', 'certificate_contract_address')],
  filled: { contractAddress: 'CERTIFICATE_CONTRACT_ADDRESS' },
}

const WEBHOOK: Fixture = {
  id: 'F-013 notify_crm_system',
  config: {
    url: '{{execution.variables.crmWebhookUrl}}',
    method: 'POST',
    headers: { Authorization: 'Bearer {{secrets.crm_api_token}}', 'Content-Type': 'application/json' },
    payload: {
      event: 'application_approved',
      applicantId: '{{execution.variables.applicantId}}',
      approvalDate: '{{now}}',
      executionId: '{{execution.id}}',
    },
    expectedStatusCodes: [200, 201, 202],
  },
  value: {
    url: 'https://crm.example/hooks/1',
    method: 'POST',
    headers: { Authorization: 'Bearer {{secrets.crm_api_token}}', 'Content-Type': 'application/json' },
    payload: { event: 'application_approved', applicantId: 42, approvalDate: NOW, executionId: 'l_882' },
    expectedStatusCodes: [200, 201, 202],
  },
  secrets: [{ pointer: '/headers/Authorization', start: 7, end: 32, name: 'crm_api_token' }],
  filled: { headers: { Authorization: 'Bearer CRM_API_TOKEN', 'Content-Type': 'application/json' } },
}

const DOCUSIGN: Fixture = {
  id: 'F-016 send_contract_for_signature',
  config: {
    templateId: '{{execution.variables.contractTemplateId}}',
    recipients: [
      {
        email: '{{execution.variables.signerEmail}}',
        name: '{{execution.variables.signerName}}',
        role: 'signer',
      },
    ],
    templateRoles: [
      {
        roleName: 'Tenant',
        name: '{{execution.variables.tenantName}}',
        email: '{{execution.variables.tenantEmail}}',
      },
    ],
    customFields: { executionId: '{{execution.id}}', propertyId: '{{execution.variables.propertyId}}' },
  },
  value: {
    templateId: 'tpl_7',
    recipients: [{ email: 'sig@example.com', name: 'Sig N.', role: 'signer' }],
    templateRoles: [{ roleName: 'Tenant', name: 'Ten Ant', email: 'ten@example.com' }],
    customFields: { executionId: 'l_882', propertyId: 'p_1' },
  },
  secrets: [],
  filled: {},
}

const EMAIL: Fixture = {
  id: 'F-011 send_termination_notice',
  config: {
    provider: 'sendgrid',
    template: 'termination_notice_template',
    to: '{{execution.variables.landlordEmail}}',
    cc: ['legal@company.com'],
    variables: {
      tenantName: '{{execution.variables.tenantName}}',
      terminationDate: '{{message.payload.terminationDate}}',
      propertyAddress: '{{execution.variables.propertyAddress}}',
    },
  },
  value: {
    provider: 'sendgrid',
    template: 'termination_notice_template',
    to: 'ada@example.com',
    cc: ['legal@company.com'],
    variables: {
      tenantName: 'Ten Ant',
      terminationDate: '2026-12-31',
      propertyAddress: '5 Elm Street, "Top flat"',
    },
  },
  secrets: [],
  filled: {},
}

const API: Fixture = {
  id: 'F-014, F-022 update_external_database',
  config: {
    service: 'external_db',
    endpoint: '/api/v1/records/{{execution.variables.recordId}}',
    method: 'PUT',
    authentication: {
      type: 'oauth2',
      tokenEndpoint: '{{secrets.external_db_token_url}}',
      clientId: '{{secrets.external_db_client_id}}',
      clientSecret: '{{secrets.external_db_client_secret}}',
    },
    payload: { status: 'validated', validatedAt: '{{now}}', validationDetails: '{{message.payload}}' },
  },
  value: {
    service: 'external_db',
    endpoint: '/api/v1/records/rec/9',
    method: 'PUT',
    authentication: {
      type: 'oauth2',
      tokenEndpoint: '{{secrets.external_db_token_url}}',
      clientId: '{{secrets.external_db_client_id}}',
      clientSecret: '{{secrets.external_db_client_secret}}',
    },
    payload: { status: 'validated', validatedAt: NOW, validationDetails: payload },
  },
  secrets: [
    whole('/authentication/tokenEndpoint', 'external_db_token_url'),
    whole('/authentication/clientId', 'external_db_client_id'),
    whole('/authentication/clientSecret', 'external_db_client_secret'),
  ],
  filled: {
    authentication: {
      type: 'oauth2',
      tokenEndpoint: 'EXTERNAL_DB_TOKEN_URL',
      clientId: 'EXTERNAL_DB_CLIENT_ID',
      clientSecret: 'EXTERNAL_DB_CLIENT_SECRET',
    },
  },
}

const SMS: Fixture = {
  id: 'F-012 urgent_sms_alert',
  config: {
    provider: 'twilio',
    to: '{{execution.variables.tenantPhone}}',
    message: 'Payment overdue for {{execution.variables.propertyAddress}}. Please contact us immediately.',
  },
  value: {
    provider: 'twilio',
    to: '+441234567890',
    message: 'Payment overdue for 5 Elm Street, "Top flat". Please contact us immediately.',
  },
  secrets: [],
  filled: {},
}

describe('the six actions of the requirements', () => {
  it.each([MINT, WEBHOOK, DOCUSIGN, EMAIL, API, SMS])('$id', ({ config, value, secrets, filled }) => {
    const rendered = render(config, scope)
    expect(rendered).toEqual({ value, secrets })
    expect(secretNames(config)).toEqual(secrets.map(({ name }) => name))
    expect(fillSecrets(rendered, (name) => name.toUpperCase())).toEqual({
      ...(value as object),
      ...(filled as object),
    })
  })
})
