/** What detectors found in a transaction → events of issues. Nobody sent them: they have no outcome and no quota. */
import { hash } from 'node:crypto'
import type { NormalizedEvent } from '@sonde/protocol/event'
import type { PerformanceType } from '@sonde/protocol/issue-category'
import { groupByRules } from '../group/group-by-rules.ts'
import type { ProcessedEvent } from '../process/processed.ts'
import type { ReadSpans } from '../spans/span.ts'
import { encodeEvent } from '../stages/encode.ts'
import { detect, type Found } from './detectors.ts'

const NAMES: { readonly [Type in PerformanceType]: string } = {
  performance_n_plus_one_db_queries: 'N+1 Query',
  performance_n_plus_one_api_calls: 'N+1 API Call',
  performance_slow_db_query: 'Slow DB Query',
  performance_large_http_payload: 'Large HTTP payload',
  performance_render_blocking_asset_span: 'Large Render Blocking Asset',
}
const MAX_TITLE = 256

/** The same each time the record is processed: ids are made from the transaction's. */
export function foundEvents(input: ReadSpans): readonly ProcessedEvent[] {
  const { event: transaction } = input
  if (!transaction || input.form !== 'transaction') return []
  return detect(input.spans).map((found) => {
    const made = eventOf(found, transaction, input)
    const { event, hashes } = groupByRules(made, input.settings.grouping, input.receivedMs)
    return encodeEvent({ ...input, event, hashes })
  })
}

function eventOf(found: Found, transaction: NormalizedEvent, { spans }: ReadSpans): NormalizedEvent {
  const { type, op, description } = found
  const route = transaction.transaction ?? ''
  const fingerprint = [type, op, description, route]
  const title = `${NAMES[type]}: ${description}`.slice(0, MAX_TITLE)
  const parent = spans.find(({ spanId }) => spanId === found.parentSpanId)
  const { platform, timestamp, received, release, dist, environment, tags, user, request, sdk } = transaction
  const shared = { release, dist, environment, tags, user, request, sdk }
  return {
    ...(Object.fromEntries(
      Object.entries(shared).filter(([, value]) => value !== undefined),
    ) as Partial<NormalizedEvent>),
    event_id: hash('sha256', `found ${transaction.event_id} ${fingerprint.join('\n')}`, 'hex').slice(0, 32),
    type,
    platform,
    level: 'info',
    timestamp,
    received,
    ...(route !== '' && { transaction: route }),
    fingerprint,
    logentry: { formatted: title },
    contexts: {
      ...transaction.contexts,
      evidence: {
        type: 'evidence',
        operation: op,
        description,
        times: found.count,
        total_ms: Math.round(found.totalMs * 10) / 10,
        transaction: transaction.event_id,
        ...(parent && { parent: `${parent.op} ${parent.name}`.slice(0, MAX_TITLE) }),
        spans: found.spans.map((span) => ({
          span_id: span.spanId,
          description: span.name.slice(0, MAX_TITLE),
          duration_ms: Math.round(span.durationMs * 10) / 10,
        })),
      },
    },
    derived: { title, culprit: route, metadata: { title, value: description.slice(0, MAX_TITLE) } },
  }
}
