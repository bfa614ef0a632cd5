/** One span with what is usual for it, as JSON: for the page that has the span in its address and for the panel. */
import { type AnyScope, type QueryDeps, spanDetail, usualDuration } from '@sonde/queries'

export async function loadSpan(
  queries: QueryDeps,
  scope: AnyScope,
  ids: { readonly traceId: string; readonly spanId: string },
) {
  const span = await spanDetail(queries, scope, { ...ids, spanId: ids.spanId.toLowerCase() })
  return span && { ...span, usual: await usualDuration(queries, scope, span) }
}
export type SpanData = NonNullable<Awaited<ReturnType<typeof loadSpan>>>
