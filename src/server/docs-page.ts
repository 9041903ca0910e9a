// Owns the page that shows the API to people: plain HTML, made from the routes and the registry of errors, without a
// script and without a request to anywhere else.

import { REGISTRY } from '../core/errors.ts'
import type { Route } from './route.ts'

const safe = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

const routeRow = ({ method, path, summary, policy, operation }: Route): string =>
  `<tr id="${safe(operation)}"><td><code>${method}</code></td><td><code>${safe(path)}</code></td>` +
  `<td>${safe(policy.scope)}</td><td>${safe(summary)}</td></tr>`

const errorRow = ([code, { http, help }]: readonly [
  string,
  { readonly http: number; readonly help: string },
]): string =>
  `<tr id="${safe(code)}"><td><code>${safe(code)}</code></td><td>${http}</td><td>${safe(help)}</td></tr>`

const table = (heads: readonly string[], rows: readonly string[]): string =>
  `<table><thead><tr>${heads.map((head) => `<th scope="col">${safe(head)}</th>`).join('')}</tr></thead>` +
  `<tbody>${rows.join('\n')}</tbody></table>`

export const docsPage = (routes: readonly Route[], version: string): string => {
  const errors = Object.entries(REGISTRY).sort(([a], [b]) => (a < b ? -1 : 1))
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Pawl API</title><link rel="stylesheet" href="docs.css"></head>
<body><main><h1>Pawl API</h1>
<p>Version ${safe(version)}. For programs: <a href="openapi.json">openapi.json</a>.</p>
<p>Send <code>Authorization: Bearer pawl_live_…</code>. Lists have <code>data</code> and <code>page</code>; go on with
<code>?after=</code> and <code>page.next</code>. A <code>POST</code> with an <code>Idempotency-Key</code> is done once.</p>
<h2>Routes</h2>${table(['method', 'path', 'scope', 'what it does'], routes.map(routeRow))}
<h2>Errors</h2>${table(['code', 'status', 'when, and what to do'], errors.map(errorRow))}
</main></body></html>
`
}
