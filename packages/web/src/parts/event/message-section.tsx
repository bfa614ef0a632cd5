import type { NormalizedEvent } from '@sonde/protocol/event'
import { JsonValue } from '../../ui/json-value.tsx'
import { LongText } from '../../ui/long-text.tsx'
import { Section } from '../../ui/section.tsx'

/** The message, and the template it was made from where that differs. */
export function MessageSection({
  logentry,
}: {
  readonly logentry: NonNullable<NormalizedEvent['logentry']>
}) {
  const { message, formatted, params } = logentry
  const text = formatted ?? message ?? ''
  return (
    <Section id="message" title="Message">
      <p className="message-text">
        <LongText text={text} />
      </p>
      {formatted !== undefined && message !== undefined && message !== formatted && (
        <p className="muted message-template">
          from <LongText text={message} max={300} />
        </p>
      )}
      {params !== undefined && params !== null && <JsonValue value={params} />}
    </Section>
  )
}
