import type { Json, NormalizedEvent } from '@sonde/protocol/event'
import { within, type Scope } from '../normalize/scope.ts'
import { scrubJson, scrubString } from './scrub-json.ts'
import type { KeyRules } from './sensitive-keys.ts'
import { FILTERED } from './settings.ts'

type Logentry = NonNullable<NormalizedEvent['logentry']>

// Shorter values occur in a message by chance: replacing every `1` would destroy it.
const MIN_SECRET = 4

/** A param that was removed by its name is removed from the formatted message too, where it stands in plain text. */
export function scrubLogentry(scope: Scope, entry: Logentry, rules: KeyRules): Logentry {
  const params =
    entry.params === undefined ? undefined : scrubJson(within(scope, 'params'), entry.params, rules)
  let formatted = entry.formatted
  if (formatted !== undefined && params !== entry.params && isRecord(entry.params) && isRecord(params))
    for (const key of Object.keys(entry.params)) {
      const secret = entry.params[key]
      if (params[key] === FILTERED && typeof secret === 'string' && secret.length >= MIN_SECRET)
        formatted = formatted.replaceAll(secret, FILTERED)
    }
  return {
    ...entry,
    ...(entry.message !== undefined && {
      message: scrubString(within(scope, 'message'), entry.message, rules),
    }),
    ...(formatted !== undefined && { formatted: scrubString(within(scope, 'formatted'), formatted, rules) }),
    ...(params !== undefined && { params }),
  }
}

function isRecord(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
