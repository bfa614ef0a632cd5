/** A security report, written as the event that an SDK would have sent about it. */
import type { EventType } from '@sonde/protocol/event'
import type { NormalizeContext } from './context.ts'
import { isObject, type RawObject } from './read.ts'
import { readSecurity, splitSecurityReport } from './security.ts'

export type Expanded = {
  readonly event: RawObject
  readonly security?: { readonly type: EventType; readonly report: RawObject }
}

/** `raw` itself unless it holds a report. Fields that the event has besides the report stay. */
export function expandSecurity(raw: unknown, context: NormalizeContext): Expanded {
  const bare = context.itemType === 'security'
  const source = bare ? splitSecurityReport(raw)[0] : raw
  if (!isObject(source)) return { event: {} }
  const found = readSecurity(source, bare)
  if (!found) return { event: source }
  const around = bare && !('event_id' in source) ? {} : source
  const headers: [string, string][] = []
  if (found.referrer !== undefined) headers.push(['Referer', found.referrer])
  if (context.userAgent !== undefined) headers.push(['User-Agent', context.userAgent])
  const request = {
    ...(found.url !== undefined && { url: found.url }),
    ...(headers.length > 0 && { headers }),
    ...(isObject(around.request) ? around.request : undefined),
  }
  const event = {
    ...around,
    logger: around.logger ?? 'csp',
    logentry: around.logentry ?? around.message ?? { formatted: found.message },
    culprit: around.culprit ?? found.culprit,
    request,
    tags: withTags(around.tags, found.tags),
    release: around.release ?? context.release,
    environment: around.environment ?? context.environment,
  }
  return { event, security: { type: found.type, report: found.report } }
}

function withTags(given: unknown, derived: readonly (readonly [string, unknown])[]): unknown {
  if (Array.isArray(given)) return [...(given as unknown[]), ...derived]
  return isObject(given) ? [...Object.entries(given), ...derived] : derived
}
