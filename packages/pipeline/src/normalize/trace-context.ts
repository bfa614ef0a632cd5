/** `contexts.trace`: where in a trace the event happened. Ids are lower hex; all zeros means none. */
import type { JsonObject } from '@sonde/protocol/event'
import { BAG, objectBag } from './bag.ts'
import type { RawObject } from './read.ts'
import { invalid, type Scope } from './scope.ts'

const ID_DIGITS: Readonly<Record<string, number>> = { trace_id: 32, span_id: 16, parent_span_id: 16 }

export function readTraceContext(scope: Scope, raw: RawObject): JsonObject | undefined {
  const ids: Record<string, string> = {}
  const rest: Record<string, unknown> = { ...raw }
  for (const [key, digits] of Object.entries(ID_DIGITS)) {
    const value = raw[key]
    delete rest[key]
    if (value === undefined || value === '') continue
    const id = hexId(value, digits)
    if (id === undefined) invalid(scope, key, value)
    else ids[key] = id
  }
  const bag = objectBag(scope, undefined, rest, BAG.large)
  if (bag === undefined && Object.keys(ids).length === 0) return undefined
  return { ...ids, ...bag, type: 'trace' }
}

export function hexId(value: unknown, digits: number): string | undefined {
  if (typeof value !== 'string') return undefined
  const id = value.replaceAll('-', '').toLowerCase()
  return id.length === digits && /^[0-9a-f]+$/.test(id) && !/^0+$/.test(id) ? id : undefined
}
