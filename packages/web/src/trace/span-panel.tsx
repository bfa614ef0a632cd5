import { formatDuration } from '../format/format-duration.ts'
import { KeyValues } from '../ui/key-values.tsx'
import { LongText } from '../ui/long-text.tsx'
import { Section } from '../ui/section.tsx'

type Detail = {
  readonly spanId: string
  readonly name: string
  readonly op: string
  readonly status: string
  readonly origin: string
  readonly durationMs: number
  readonly facts: Readonly<Record<string, string>>
  readonly attributes: Readonly<Record<string, string | number>>
}

/** Everything that is known of the span that was chosen. */
export function SpanPanel({ span }: { readonly span: Detail }) {
  const about = {
    duration: formatDuration(span.durationMs),
    ...(span.status !== '' && { status: span.status }),
    ...(span.origin !== '' && { origin: span.origin }),
    'span id': span.spanId,
    ...span.facts,
  }
  return (
    <Section id="span" title={`Span ${span.op}`}>
      <div className="span-detail">
        <LongText text={span.name} />
        <KeyValues caption="About the span" rows={Object.entries(about)} />
        {Object.keys(span.attributes).length > 0 && (
          <KeyValues caption="Attributes" rows={Object.entries(span.attributes)} />
        )}
      </div>
    </Section>
  )
}
