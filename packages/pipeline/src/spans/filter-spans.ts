/** The project's filters, for spans. An item is of one program and is dropped whole; an OTLP request may be of several. */
import { filterReason } from '../stages/filter.ts'
import { drop, type Dropped } from '../stage-runner.ts'
import { textOf } from './attributes.ts'
import { factsOfAttributes } from './facts-of-attributes.ts'
import type { Span } from './span.ts'
import type { LeftOut, ReadSpans } from './span-input.ts'

export function filterSpans(input: ReadSpans): ReadSpans | Dropped {
  const programs = input.form === 'otlp' ? [...Map.groupBy(input.spans, releaseOf).values()] : [input.spans]
  const judged = programs.map((spans) => ({ spans, reason: reasonOf(input, spans) }))
  const kept = judged.filter(({ reason }) => reason === undefined)
  if (kept.length === judged.length) return input
  const filtered = judged.flatMap(({ spans, reason }): LeftOut['filtered'] =>
    reason === undefined ? [] : [{ reason, spans: spans.length }],
  )
  const [first] = filtered
  if (kept.length === 0 && first !== undefined) return drop('filtered', first.reason)
  return { ...input, spans: kept.flatMap(({ spans }) => spans), filtered }
}

const releaseOf = ({ attributes }: Span): string =>
  textOf(attributes, 'sentry.release', 'release', 'service.version')

function reasonOf(input: ReadSpans, spans: readonly Span[]) {
  return filterReason(input.event ?? asEvent(input, spans), input.settings.filters)
}

/** What the filters look at, as far as spans that stand alone say it. */
function asEvent({ envelope }: ReadSpans, [first]: readonly Span[]): Parameters<typeof filterReason>[0] {
  if (first === undefined) return {}
  const { attributes } = first
  const agent = textOf(attributes, 'user_agent.original') || (envelope.userAgent ?? '')
  return {
    release: factsOfAttributes(attributes, envelope).release,
    request: { url: textOf(attributes, 'url.full', 'url'), headers: [['User-Agent', agent]] },
  }
}
