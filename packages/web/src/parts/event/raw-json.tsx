import type { NormalizedEvent } from '@sonde/protocol/event'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Section } from '../../ui/section.tsx'
import { LazyFold } from './lazy-fold.tsx'

type Props = { readonly event: NormalizedEvent; readonly href: string }

const MAX_CHARS = 200_000

const textOf = (event: NormalizedEvent): string => JSON.stringify(event, undefined, 2)

/** The stored event. Its text is made when it is unfolded: most readers never do. */
export function RawJson({ event, href }: Props) {
  return (
    <Section
      id="json"
      title="Raw JSON"
      actions={<CopyButton text={() => textOf(event)} what="the event as JSON" />}
    >
      <LazyFold className="fold" summary="Stored event">
        {() => {
          const text = textOf(event)
          return (
            <pre className="json" tabIndex={0} aria-label="Event as JSON">
              <code>{text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}\n…` : text}</code>
            </pre>
          )
        }}
      </LazyFold>
      <p className="json-file">
        <a href={href}>Open raw JSON</a>
      </p>
    </Section>
  )
}
