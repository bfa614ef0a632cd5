import type { Json, NormalizedEvent } from '@sonde/protocol/event'
import { Section } from '../ui/section.tsx'
import { UserText } from '../ui/user-text.tsx'

const MAX_SHOWN = 20

/** Names of the files that the event says it had; their contents are not stored. */
export function AttachmentsSection({ event }: { readonly event: Pick<NormalizedEvent, 'unknown'> }) {
  const names = attachmentNames(event.unknown?.['attachments'])
  if (names.length === 0) return null
  return (
    <Section id="attachments" title="Attachments" note="sent with the event, but not stored yet">
      <ul>
        {names.slice(0, MAX_SHOWN).map((name, index) => (
          <li key={index}>
            <UserText text={name} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

function attachmentNames(value: Json | undefined): string[] {
  if (!Array.isArray(value)) return []
  return (value as readonly Json[]).map((entry, index) => {
    const fields = typeof entry === 'object' && entry !== null && !Array.isArray(entry) ? entry : {}
    const { filename, name } = fields as Readonly<Record<string, Json>>
    const found = [filename, name, entry].find((text) => typeof text === 'string')
    return typeof found === 'string' ? found : `Attachment ${index + 1}`
  })
}
