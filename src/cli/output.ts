// Owns how data is printed: a table or lines for people, `--json` (with the fields one asks for) and `--jsonl` for programs.
// What is printed is the same in all of them; only its dress differs.

import { stripVTControlCharacters } from 'node:util'
import { PawlError } from '../core/errors.ts'
import { isObject, type Json, own } from '../core/json.ts'
import { nearest } from '../core/suggest.ts'
import type { Terminal } from './terminal.ts'

export interface Column<Row> {
  readonly title: string
  readonly text: (row: Row) => string
}

/** `true`: all fields. A list: these, in this order. */
export type Fields = true | readonly string[]

export interface Output {
  /** Many things. */
  readonly rows: <Row extends object>(rows: readonly Row[], columns: readonly Column<Row>[]) => void
  /** One thing: as lines, unless JSON is asked for. */
  readonly one: (value: object, lines: () => readonly string[]) => void
  /** One of a stream, at once. */
  readonly streamed: (value: object, line: () => string) => void
  readonly isJson: boolean
}

export interface OutputOptions {
  readonly json?: true | string
  readonly jsonl?: boolean
}

const fieldsOf = (json: true | string | undefined): Fields | undefined => {
  if (json === undefined || json === true) return json
  return json
    .split(',')
    .map((field) => field.trim())
    .filter((field) => field !== '')
}

const assertField = (value: object, field: string): void => {
  const known = Object.keys(value)
  if (known.includes(field.split('.')[0]!)) return
  const suggestion = nearest(field, known)
  throw new PawlError('invalid_option', `there is no field “${field.slice(0, 80)}”`, {
    path: '--json',
    expected: known.join(', '),
    ...(suggestion !== undefined && { suggestion }),
  })
}

const reach = (value: unknown, path: string): Json => {
  const found = path.split('.').reduce<Json | undefined>((at, part) => own(at, part), value as Json)
  return found ?? null
}

/** A field that some rows lack is null there; one that no row has is a mistake. */
const picked = (rows: readonly object[], fields: Fields): readonly object[] => {
  if (fields === true) return rows
  const all = Object.assign({}, ...rows) as object
  if (rows.length > 0) for (const field of fields) assertField(all, field)
  return rows.map((row) => Object.fromEntries(fields.map((field) => [field, reach(row, field)])))
}

/** Control characters of a stranger's text would command the terminal. */
export const plainText = (text: string): string =>
  text.replace(/[\p{Control}\p{Bidi_Control}\u2028\u2029]/gu, ' ')

const widthOf = (text: string): number => stripVTControlCharacters(text).length

const cut = (text: string, width: number): string =>
  widthOf(text) <= width ? text : `${stripVTControlCharacters(text).slice(0, Math.max(1, width - 1))}…`

const table = <Row>(rows: readonly Row[], columns: readonly Column<Row>[], terminal: Terminal): string[] => {
  const cells = rows.map((row) => columns.map(({ text }) => text(row).replaceAll('\n', ' ')))
  const widths = columns.map(({ title }, index) =>
    Math.max(title.length, ...cells.map((line) => widthOf(line[index]!))),
  )
  const lineOf = (line: readonly string[]): string =>
    line
      .map((cell, index) => cell + ' '.repeat(Math.max(0, widths[index]! - widthOf(cell))))
      .join('  ')
      .trimEnd()
  const head = terminal.style('dim', lineOf(columns.map(({ title }) => title)))
  return [head, ...cells.map(lineOf)].map((line) => cut(line, terminal.columns))
}

export const createOutput = (terminal: Terminal, { json, jsonl = false }: OutputOptions): Output => {
  const fields = fieldsOf(json)
  const isJson = fields !== undefined || jsonl
  const dressed = (rows: readonly object[]): readonly object[] => picked(rows, fields ?? true)
  return {
    isJson,
    rows: (rows, columns) => {
      if (jsonl) for (const row of dressed(rows)) terminal.print(JSON.stringify(row))
      else if (fields !== undefined) terminal.print(JSON.stringify(dressed(rows), undefined, 2))
      else if (rows.length > 0) for (const line of table(rows, columns, terminal)) terminal.print(line)
    },
    one: (value, lines) => {
      if (isJson) terminal.print(JSON.stringify(dressed([value])[0], undefined, jsonl ? undefined : 2))
      else for (const line of lines()) terminal.print(line)
    },
    streamed: (value, line) =>
      terminal.print(isJson ? JSON.stringify(isObject(value) ? dressed([value])[0] : value) : line()),
  }
}
