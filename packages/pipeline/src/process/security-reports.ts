/**
 * A `raw_security` item holds what a browser sent by itself: one report (`report-uri`), or an array of them
 * (Reporting API, `report-to`), of which each becomes an event. https://www.w3.org/TR/reporting-1/#media-type
 */
import { hash } from 'node:crypto'
import type { ItemHeader } from '@sonde/protocol/envelope'
import type { ItemOutcome } from '@sonde/protocol/outcome'
import { isSecurityReport, parseEventJson, splitSecurityReport } from '../normalize/index.ts'
import type { EventInput } from '../stages/event-input.ts'
import { eventIdFromPosition } from './processed.ts'

type Ending = { readonly end: Exclude<ItemOutcome, { outcome: 'accepted' }>; readonly quantity: number }
export type Reports = {
  readonly inputs: readonly EventInput[]
  /** Of reports that become no event; together with the events never nothing. */
  readonly endings: readonly Ending[]
}

// Browsers keep 100 per page and send them at once; the quota counted the item as one.
const MAX_REPORTS = 100

/** `input` has the payload of the whole item; each of the answer has that of one report. Pure. */
export function securityReports(header: ItemHeader, input: EventInput): Reports {
  const parsed = parseEventJson(input.payload)
  if (!parsed.ok) {
    const reason = parsed.reason === 'too_large' ? 'too_large' : 'bad_json'
    return { inputs: [], endings: [{ end: { outcome: 'invalid', reason }, quantity: 1 }] }
  }
  const raw = parsed.value
  const reports = splitSecurityReport(raw).filter(isSecurityReport)
  const sent = Array.isArray(raw) ? raw.length : 1
  const taken = reports.slice(0, MAX_REPORTS)
  const context = { ...input.context, itemType: 'security', ...releaseOf(header) }
  const inputs = taken.map((report, index) => ({
    ...input,
    context,
    eventId: reportId(input, index),
    payload: Array.isArray(raw) ? Buffer.from(JSON.stringify(report)) : input.payload,
  }))
  const endings: Ending[] = []
  const end = (reason: 'bad_payload' | 'too_many_items', quantity: number): void => {
    if (quantity > 0) endings.push({ end: { outcome: 'invalid', reason }, quantity })
  }
  end('too_many_items', reports.length - taken.length)
  // An empty array is one bad item. Kinds that nobody here knows are counted.
  if (sent === 0 || !Array.isArray(raw)) end('bad_payload', inputs.length === 0 ? 1 : 0)
  else if (sent > reports.length)
    endings.push({
      end: { outcome: 'unsupported', reason: 'not_yet_shown' },
      quantity: sent - reports.length,
    })
  return { inputs, endings }
}

/** The first has the item's id, the others one made from it: the same each time the record is processed. */
function reportId(input: EventInput, index: number): string {
  const first = input.eventId ?? eventIdFromPosition(input)
  return index === 0 ? first : hash('sha256', `${first} report ${index}`, 'hex').slice(0, 32)
}

/** They are in the URL that the browser reports to; the endpoint put them into the item's header. */
function releaseOf(header: ItemHeader): { release?: string; environment?: string } {
  const { sentry_release: release, sentry_environment: environment } = header
  return {
    ...(typeof release === 'string' && { release }),
    ...(typeof environment === 'string' && { environment }),
  }
}
