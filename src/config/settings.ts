// Owns the table of everything that can be set: its name in a file, what it may be, what it is when nobody says. Flags,
// variables, files, `config print` and the checks of all of them are read off this table.

/** What a value may be. A duration is `25s`, or milliseconds; a list is written with commas in a variable. */
export type Kind = 'text' | 'number' | 'boolean' | 'list' | 'duration' | readonly string[]

export interface Setting {
  /** As it is written in a file: `log.level` is the key `level` of the section `log`. */
  readonly key: string
  readonly kind: Kind
  readonly preset?: string | number | boolean
  /** Never shown. */
  readonly isSecret?: true
  /** Other names it is known by in files. */
  readonly aliases?: readonly string[]
  readonly help: string
}

const LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const

export const SETTINGS: readonly Setting[] = [
  { key: 'store', kind: 'text', help: 'Where everything is kept: sqlite:./pawl.db or postgres://…' },
  {
    key: 'definitions',
    kind: 'text',
    help: 'A directory (or a file) of definitions: JSON, YAML, TypeScript',
  },
  { key: 'host', kind: 'text', preset: '127.0.0.1', help: 'The address the server listens on' },
  { key: 'port', kind: 'number', preset: 4400, help: 'The port the server listens on; 0 takes a free one' },
  { key: 'role', kind: ['all', 'server', 'worker'], preset: 'all', help: 'What `serve` does' },
  { key: 'namespace', kind: 'text', preset: 'default', help: 'Whose rows, when nothing else says' },
  { key: 'tenant', kind: 'text', preset: 'default', help: 'Whose rows, when nothing else says' },
  { key: 'clock', kind: 'text', preset: 'real', help: '`real`, or `virtual:<instant>`' },
  { key: 'slots', kind: 'number', preset: 64, help: 'Attempts at the same time' },
  { key: 'lease', kind: 'duration', preset: '30s', help: 'What a killed worker did goes on after this' },
  { key: 'drain', kind: 'duration', preset: '25s', help: 'How long running attempts may take at the end' },
  { key: 'migrate', kind: 'boolean', preset: false, help: 'Bring an older store up to date when opening it' },
  { key: 'url', kind: 'text', help: 'The server that commands speak to' },
  { key: 'token', kind: 'text', isSecret: true, help: 'The key that commands speak with' },
  { key: 'log.level', kind: LEVELS, preset: 'info', help: 'The least that is logged' },
  { key: 'log.format', kind: ['auto', 'json', 'pretty'], preset: 'auto', help: 'auto: pretty on a terminal' },
  { key: 'log.levels', kind: 'list', help: 'Levels of components: http=warn,worker=debug' },
  { key: 'log.payloads', kind: 'boolean', preset: false, help: 'Log configs and results too' },
  { key: 'egress.allow', kind: 'list', help: 'Private addresses that runners may reach' },
  {
    key: 'server.requestsPerSecond',
    kind: 'number',
    preset: 1000,
    help: 'Requests of one key that are served, on average',
  },
  { key: 'server.requestBurst', kind: 'number', preset: 2000, help: 'Requests of one key at once' },
  {
    key: 'server.failuresPerMinute',
    kind: 'number',
    preset: 10,
    help: 'Wrong keys from one address before it has to wait',
  },
  { key: 'server.streamsPerKey', kind: 'number', preset: 20, help: 'Live feeds of one key at a time' },
  {
    key: 'server.heartbeat',
    kind: 'duration',
    preset: '15s',
    help: 'A quiet live feed says that it is alive',
  },
  { key: 'server.bodyBytes', kind: 'number', preset: 1_048_576, help: 'The longest body that is read' },
  { key: 'server.headersTimeout', kind: 'duration', preset: '10s', help: 'Until all headers are there' },
  { key: 'server.requestTimeout', kind: 'duration', preset: '30s', help: 'Until the whole request is there' },
  { key: 'server.connections', kind: 'number', preset: 20_000, help: 'Connections at a time' },
  { key: 'secrets.directory', kind: 'text', help: 'Secrets as files, one each' },
  { key: 'secrets.key', kind: 'text', isSecret: true, help: 'Seals stored secrets: 32 bytes, base64 or hex' },
  {
    key: 'secrets.keys',
    kind: 'text',
    isSecret: true,
    help: 'Older keys beside it, while they are replaced',
  },
  { key: 'retention.done', kind: 'number', preset: 30, help: 'Days that finished actions are kept' },
  { key: 'retention.events', kind: 'number', preset: 90, help: 'Days that history is kept' },
  { key: 'retention.inbox', kind: 'number', preset: 30, help: 'Days that ids of events are remembered' },
  {
    key: 'metrics.maxSeries',
    kind: 'number',
    preset: 500,
    help: 'Label values kept apart; the rest is `other`',
  },
  {
    key: 'background.enable_recurring_actions',
    kind: 'boolean',
    preset: true,
    help: 'Fire recurrences and take new ones',
  },
  {
    key: 'background.recurring_check_interval_seconds',
    kind: 'number',
    preset: 5,
    aliases: ['background.recurring_check_interval'],
    help: 'Kept for files that have it: each fires when it is due, not at a tick',
  },
  { key: 'recurrences.max', kind: 'number', preset: 10_000, help: 'Recurrences that a tenant may have' },
  { key: 'recurrences.minInterval', kind: 'duration', preset: '1s', help: 'The least between two firings' },
]

/** Sections whose keys are names of the user's own: `services.crm.baseUrl`. */
export const OPEN_SECTIONS: readonly string[] = ['services', 'providers', 'calendars', 'alerts', 'limits']

/** `log.level` → `PAWL_LOG_LEVEL`, `metrics.maxSeries` → `PAWL_METRICS_MAX_SERIES`. */
export const variableOf = (key: string): string =>
  `PAWL_${key.replace(/[A-Z]/g, '_$&').replaceAll('.', '_').toUpperCase()}`

export const settingOf = (key: string): Setting | undefined =>
  SETTINGS.find((setting) => setting.key === key || setting.aliases?.includes(key))
