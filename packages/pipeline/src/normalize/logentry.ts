/** https://develop.sentry.dev/sdk/data-model/event-payloads/message/ */
import type { NormalizedEvent } from '@sonde/protocol/event'
import { BAG, trimBag } from './bag.ts'
import { formatMessage } from './format-message.ts'
import { firstOf, isObject, lenientText, limitText, type Mutable, type RawObject } from './read.ts'
import { within, type Scope } from './scope.ts'

type Logentry = NonNullable<NormalizedEvent['logentry']>

const MESSAGE = 8192
const TOLERANCE = 200

/** `formatted` is what people read; `message` stands only where it is a template of it. */
export function readLogentry(scope: Scope, event: RawObject): Logentry | undefined {
  const raw = firstOf(event, ['logentry', 'sentry.interfaces.Message', 'message'])
  if (raw === undefined) return undefined
  const entryScope = within(scope, 'logentry')
  if (!isObject(raw) || !('message' in raw || 'formatted' in raw || 'params' in raw)) {
    const formatted = readText(entryScope, 'formatted', raw)
    return formatted === undefined ? undefined : { formatted }
  }
  const message = readText(entryScope, 'message', raw.message)
  let formatted = readText(entryScope, 'formatted', raw.formatted)
  const hasParams = raw.params !== undefined && raw.params !== null && !isEmpty(raw.params)
  if (formatted === undefined && message !== undefined)
    formatted = hasParams
      ? limitText(entryScope, 'formatted', formatMessage(message, raw.params), MESSAGE, TOLERANCE)
      : message
  const entry: Mutable<Logentry> = {}
  if (formatted !== undefined) entry.formatted = formatted
  if (message !== undefined && (message !== formatted || hasParams)) entry.message = message
  if (hasParams) entry.params = trimBag(entryScope, 'params', raw.params, BAG.medium)
  return formatted === undefined ? undefined : entry
}

function readText(scope: Scope, key: string, raw: unknown): string | undefined {
  if (raw === undefined || raw === null || isEmpty(raw)) return undefined
  const text = lenientText(raw) ?? JSON.stringify(trimBag(scope, key, raw, BAG.large))
  const limited = limitText(scope, key, text.trim(), MESSAGE, TOLERANCE)
  return limited === '' ? undefined : limited
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}
