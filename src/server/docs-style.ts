// Owns how the page of the API looks, in light and in dark.

export const DOCS_STYLE = `:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
main { max-width: 72rem; margin: 0 auto; padding: 1rem }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; vertical-align: top; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid color-mix(in srgb, currentColor 20%, transparent) }
code { font-family: ui-monospace, monospace; font-size: .9em }
tr:target { background: color-mix(in srgb, Highlight 25%, transparent) }
`
