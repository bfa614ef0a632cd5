/** https://develop.sentry.dev/sdk/data-model/event-payloads/sdk/ */
import type { NormalizedEvent } from '@sonde/protocol/event'
import { boundedObject, JSON_LIMITS } from './bounded-json.ts'
import { type Scope, within } from './meta-remarks.ts'
import { isObject, lenientText, type Mutable, textField } from './read-fields.ts'

type Sdk = NonNullable<NormalizedEvent['sdk']>

const MAX_ENTRIES = 100

/** `client` is `name/version` from the authentication, for events that do not name their SDK. */
export function readSdk(scope: Scope, raw: unknown, client: string | undefined): Sdk | undefined {
  if (!isObject(raw)) return fromClient(client)
  const sdkScope = within(scope, 'sdk')
  const sdk: Mutable<Sdk> = {}
  const name = textField(sdkScope, raw, 'name', 128)
  if (name !== undefined) sdk.name = name
  const version = textField(sdkScope, raw, 'version', 128)
  if (version !== undefined) sdk.version = version
  const integrations = readNames(raw.integrations)
  if (integrations.length > 0) sdk.integrations = integrations
  const packages = readPackages(sdkScope, raw.packages)
  if (packages.length > 0) sdk.packages = packages
  const settings = boundedObject(sdkScope, 'settings', raw.settings, JSON_LIMITS.small)
  if (settings !== undefined) sdk.settings = settings
  for (const _ in sdk) return sdk
  return fromClient(client)
}

function fromClient(client: string | undefined): Sdk | undefined {
  if (client === undefined || client === '') return undefined
  const slash = client.lastIndexOf('/')
  if (slash <= 0) return { name: client.slice(0, 128) }
  return { name: client.slice(0, slash).slice(0, 128), version: client.slice(slash + 1).slice(0, 128) }
}

function readNames(raw: unknown): string[] {
  if (!Array.isArray(raw)) return []
  return raw
    .slice(0, MAX_ENTRIES)
    .map((entry: unknown) => lenientText(entry)?.slice(0, 128).toWellFormed().replaceAll('\0', ''))
    .filter((entry) => entry !== undefined && entry !== '') as string[]
}

function readPackages(scope: Scope, raw: unknown): { name?: string; version?: string }[] {
  if (!Array.isArray(raw)) return []
  return raw
    .slice(0, MAX_ENTRIES)
    .filter(isObject)
    .map((entry) => {
      const name = textField(scope, entry, 'name', 256)
      const version = textField(scope, entry, 'version', 128)
      return {
        ...(name === undefined ? undefined : { name }),
        ...(version === undefined ? undefined : { version }),
      }
    })
}

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
