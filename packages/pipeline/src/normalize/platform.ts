/** https://develop.sentry.dev/sdk/data-model/event-payloads/#required-attributes, and the languages of newer SDKs. */
const PLATFORMS = new Set([
  'as3',
  'c',
  'cfml',
  'clojure',
  'cocoa',
  'crystal',
  'csharp',
  'dart',
  'elixir',
  'go',
  'groovy',
  'haskell',
  'java',
  'javascript',
  'kotlin',
  'native',
  'node',
  'objc',
  'ocaml',
  'other',
  'perl',
  'php',
  'powershell',
  'python',
  'ruby',
  'rust',
  'swift',
])

/** A platform we know, else `other`. */
export function readPlatform(value: unknown): string {
  if (typeof value !== 'string') return 'other'
  if (PLATFORMS.has(value)) return value
  const lower = value.trim().toLowerCase()
  return PLATFORMS.has(lower) ? lower : 'other'
}

export function isKnownPlatform(value: unknown): boolean {
  return typeof value === 'string' && PLATFORMS.has(value.trim().toLowerCase())
}
