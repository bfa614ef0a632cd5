/** https://develop.sentry.dev/sdk/data-model/event-payloads/message/ */
import type { NormalizedEvent } from '@sonde/protocol/event'
import { JSON_LIMITS, trimJson } from './bounded-json.ts'
import { type Scope, within } from './meta-remarks.ts'
import { firstOf, isObject, lenientText, limitText, type Mutable, type RawObject } from './read-fields.ts'

/**
 * Puts params into a message template, for SDKs that send both but not the result: `%s` and `%(name)s` (Python, PHP),
 * `{}`, `{0}` and `{name}` (.NET, Java, Go). Placeholders without a param stay as they are.
 */
// `%%` first, so that it is not taken for the start of a placeholder.
const PLACEHOLDER =
  /%%|%\((\w{1,64})\)[-+ 0#]{0,4}[\d.]{0,6}[a-zA-Z]|%[-+ 0#]{0,4}[\d.]{0,6}[sdifoxXeEgGrcv]|\{(\w{0,64})\}/g

function formatMessage(template: string, params: unknown): string {
  const list: readonly unknown[] = Array.isArray(params) ? params : []
  const named = isObject(params) ? params : {}
  let next = 0
  return template.replaceAll(PLACEHOLDER, (whole: string, percentName?: string, braceName?: string) => {
    if (whole === '%%') return '%'
    const name = percentName ?? braceName
    const isName = name !== undefined && name !== ''
    const value =
      isName && Object.hasOwn(named, name)
        ? named[name]
        : isName && /^\d+$/.test(name)
          ? list[Number(name)]
          : isName
            ? undefined
            : list[next++]
    return value === undefined ? whole : textOf(value)
  })
}

function textOf(value: unknown): string {
  if (value === null) return 'None'
  return lenientText(value) ?? JSON.stringify(value)?.slice(0, 1024) ?? ''
}

type Logentry = NonNullable<NormalizedEvent['logentry']>

const MESSAGE = 8192
const TOLERANCE = 200

/** `formatted` is what people read; `message` is present only where it is a template of it. */
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
  if (hasParams) entry.params = trimJson(entryScope, 'params', raw.params, JSON_LIMITS.medium)
  return formatted === undefined ? undefined : entry
}

function readText(scope: Scope, key: string, raw: unknown): string | undefined {
  if (raw === undefined || raw === null || isEmpty(raw)) return undefined
  const text = lenientText(raw) ?? JSON.stringify(trimJson(scope, key, raw, JSON_LIMITS.large))
  const limited = limitText(scope, key, text.trim(), MESSAGE, TOLERANCE)
  return limited === '' ? undefined : limited
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}
