/** https://develop.sentry.dev/sdk/data-model/event-payloads/sdk/ */
import type { NormalizedEvent } from '@sonde/protocol/event'
import { JSON_LIMITS, boundedObject } from './bounded-json.ts'
import { isObject, lenientText, textField, type Mutable } from './read-fields.ts'
import { within, type Scope } from './meta-remarks.ts'

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
