/** https://develop.sentry.dev/sdk/data-model/event-payloads/#optional-attributes: release, dist, environment. */
import { invalid, type Scope } from './meta-remarks.ts'
import { cleanText, lenientText } from './read-fields.ts'

export type ReleaseFields = { release?: string; dist?: string; environment?: string }

// Names that cannot be part of a URL path, which is where releases and environments appear.
const BAD_RELEASE = /[\n\r\t\f/\\]/
const BAD_ENVIRONMENT = /[\n\r\f/]/
const GOOD_DIST = /^[a-zA-Z0-9_.-]+$/

const MAX_RELEASE_CHARS = 200

/** Whether there can be a release of that name. Spans keep what they say; only these make one. */
export const isReleaseName = (name: string): boolean =>
  name !== '' && name.length <= MAX_RELEASE_CHARS && !BAD_RELEASE.test(name) && name !== '.' && name !== '..'

export function readReleaseFields(
  scope: Scope,
  raw: { readonly release?: unknown; readonly dist?: unknown; readonly environment?: unknown },
): ReleaseFields {
  const fields: ReleaseFields = {}
  const release = readName(scope, 'release', raw.release, MAX_RELEASE_CHARS, isReleaseName)
  if (release !== undefined) fields.release = release
  const dist = readName(scope, 'dist', raw.dist, 64, (name) => GOOD_DIST.test(name))
  // A dist is a build of a release; alone it names nothing.
  if (dist !== undefined && release !== undefined) fields.dist = dist
  const environment = readName(
    scope,
    'environment',
    raw.environment,
    64,
    (name) => !BAD_ENVIRONMENT.test(name),
  )
  if (environment !== undefined && environment.toLowerCase() !== 'none') fields.environment = environment
  return fields
}

function readName(
  scope: Scope,
  key: string,
  raw: unknown,
  limit: number,
  isValid: (name: string) => boolean,
): string | undefined {
  if (raw === undefined || raw === null) return undefined
  const text = lenientText(raw)
  const name = text === undefined ? undefined : cleanText(text).trim()
  if (name === '') return undefined
  if (name !== undefined && name.length <= limit && isValid(name)) return name
  invalid(scope, key, raw, name !== undefined && name.length > limit ? 'value_too_long' : 'invalid_data')
  return undefined
}
