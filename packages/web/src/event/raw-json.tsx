import type { NormalizedEvent } from '@sonde/protocol/event'
import { type ToggleEvent, useState } from 'react'
import { CopyButton } from '../ui/copy-button.tsx'
import { Section } from '../ui/section.tsx'

type Props = { readonly event: NormalizedEvent; readonly href: string }

const MAX_CHARS = 200_000

/** The stored event. Its text is made when it is unfolded: most readers never do. */
export function RawJson({ event, href }: Props) {
  const [isOpen, setOpen] = useState(false)
  const text = isOpen ? JSON.stringify(event, undefined, 2) : ''
  return (
    <Section
      id="json"
      title="Raw JSON"
      actions={isOpen && <CopyButton text={text} what="the event as JSON" />}
    >
      <details
        className="fold"
        onToggle={(toggled: ToggleEvent<HTMLDetailsElement>) => setOpen(toggled.newState === 'open')}
      >
        <summary>The event as it is stored</summary>
        {isOpen && (
          <pre className="json" tabIndex={0} aria-label="Event as JSON">
            <code>{text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}\n…` : text}</code>
          </pre>
        )}
        <p>
          <a href={href}>Open as a file</a>
        </p>
      </details>
    </Section>
  )
}
