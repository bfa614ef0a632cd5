/** What happened before. https://develop.sentry.dev/sdk/data-model/event-payloads/breadcrumbs/ */
import type { Breadcrumb } from '@sonde/protocol/event'
import { JSON_LIMITS, boundedObject } from './bounded-json.ts'
import { readLevel } from './level.ts'
import { invalid, remark, within, type Scope } from './meta-remarks.ts'
import { isObject, listOf, textField, type Mutable, type RawObject } from './read-fields.ts'
import { parseTimestamp } from './timestamp.ts'

/** As many as SDKs keep. */
const MAX_BREADCRUMBS = 100

export function readBreadcrumbs(scope: Scope, raw: unknown, shiftSec: number): Breadcrumb[] | undefined {
  const all = listOf(raw)
  if (all.length === 0) return undefined
  const latest = all.length > MAX_BREADCRUMBS ? all.slice(-MAX_BREADCRUMBS) : all
  if (latest !== all) remark(scope, 'breadcrumbs', 'trimmed', '!limit', all.length)
  const listScope = within(scope, 'breadcrumbs')
  const breadcrumbs: Breadcrumb[] = []
  for (const entry of latest)
    if (isObject(entry))
      breadcrumbs.push(readBreadcrumb(within(listScope, breadcrumbs.length), entry, shiftSec))
  return breadcrumbs.length > 0 ? breadcrumbs : undefined
}

function readBreadcrumb(scope: Scope, raw: RawObject, shiftSec: number): Breadcrumb {
  const breadcrumb: Mutable<Breadcrumb> = {
    type: textField(scope, raw, 'type', 128) ?? 'default',
    level: readLevel(scope, raw.level, 'info'),
  }
  if (raw.timestamp !== undefined && raw.timestamp !== null) {
    const timestamp = parseTimestamp(raw.timestamp)
    if (timestamp === undefined) invalid(scope, 'timestamp', raw.timestamp)
    else breadcrumb.timestamp = timestamp + shiftSec
  }
  const category = textField(scope, raw, 'category', 128)
  if (category !== undefined) breadcrumb.category = category
  const message = textField(scope, raw, 'message', 8192, 200)
  if (message !== undefined) breadcrumb.message = message
  const data = boundedObject(scope, 'data', raw.data, JSON_LIMITS.medium)
  if (data !== undefined) breadcrumb.data = data
  return breadcrumb
}
