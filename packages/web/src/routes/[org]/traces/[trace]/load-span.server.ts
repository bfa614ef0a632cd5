/** One span with what is usual for it, as JSON: for the page that has the span in its address and for the panel. */
import type { Grant } from '@sonde/access'
import { type QueryDeps, type SpanDetail, spanDetail, usualDuration } from '@sonde/queries'
import { placeText, unreadableText } from '../../../../parts/scripts/script-text.ts'

export async function loadSpan(
  queries: QueryDeps,
  grant: Grant<'event:read', 'org' | 'project'>,
  ids: { readonly traceId: string; readonly spanId: string },
) {
  const span = await spanDetail(queries, grant, { ...ids, spanId: ids.spanId.toLowerCase() })
  if (span === undefined) return undefined
  const { place: _place, unreadable: _unreadable, ...shown } = span
  const facts = { ...sourceFacts(span), ...span.facts }
  return { ...shown, facts, usual: await usualDuration(queries, grant, span) }
}
export type SpanData = NonNullable<Awaited<ReturnType<typeof loadSpan>>>

/** First of its facts: the panel, whose code is near its limit, shows them as they are. */
export function sourceFacts({ place, unreadable }: Pick<SpanDetail, 'place' | 'unreadable'>) {
  if (place) return { source: [placeText(place), place.functionName ?? ''].join(' ').trim() }
  if (!unreadable) return {}
  const { sentence } = unreadableText(unreadable)
  return { source: `not known: ${sentence} The project's source maps screen says what was uploaded.` }
}
