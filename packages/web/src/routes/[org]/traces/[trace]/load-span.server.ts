/** One span with the usual duration of its kind: for the page with the span in its address, and as JSON for the panel. */
import type { Grant } from '@sonde/access'
import { incomingLinks, type QueryDeps, type SpanDetail, spanDetail, usualDuration } from '@sonde/queries'
import { placeText, unreadableText } from '../../../../parts/scripts/script-text.ts'

export async function loadSpan(
  queries: QueryDeps,
  grant: Grant<'event:read', 'org' | 'project'>,
  { traceId, spanId }: { readonly traceId: string; readonly spanId: string },
) {
  const span = await spanDetail(queries, grant, { traceId, spanId: spanId.toLowerCase() })
  if (span === undefined) return undefined
  const { place: _place, unreadable: _unreadable, ...shown } = span
  const facts = { ...sourceFacts(span), ...span.facts }
  const [usual, linkedFrom] = await Promise.all([
    usualDuration(queries, grant, span),
    incomingLinks(queries, grant, span),
  ])
  return { ...shown, facts, usual, linkedFrom }
}
export type SpanData = NonNullable<Awaited<ReturnType<typeof loadSpan>>>

/** First of the span's facts: the panel shows facts as they are, so its code needs no change for a new one. */
export function sourceFacts({ place, unreadable }: Pick<SpanDetail, 'place' | 'unreadable'>) {
  if (place) return { source: [placeText(place), place.functionName ?? ''].join(' ').trim() }
  if (!unreadable) return {}
  const { sentence } = unreadableText(unreadable)
  return { source: `unknown: ${sentence} The project's source maps screen says what was uploaded.` }
}
