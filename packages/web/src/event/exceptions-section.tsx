import type { Exception } from '@sonde/protocol/event'
import { useState } from 'react'
import { countOf } from '../format/format-count.ts'
import { Section } from '../ui/section.tsx'
import { ExceptionBlock } from './exception-block.tsx'
import { type FrameView, hasFolds } from './frame-groups.ts'
import { ViewToggle } from './view-toggle.tsx'

const MAX_SHOWN = 10

/** What was thrown first, then what caused it, down to the innermost. SDKs send them the other way round. */
export function ExceptionsSection({ exceptions }: { readonly exceptions: readonly Exception[] }) {
  const [view, setView] = useState<FrameView>('in-app')
  const [isWhole, setWhole] = useState(false)
  const thrownFirst = exceptions.toReversed()
  const shown = isWhole ? thrownFirst : thrownFirst.slice(0, MAX_SHOWN)
  const canFold = hasFolds(exceptions.map(({ stacktrace }) => stacktrace?.frames ?? []))
  return (
    <Section
      id="exception"
      title="Stack trace"
      note={
        exceptions.length > 1
          ? `${exceptions.length} chained exceptions, most recent call first`
          : 'most recent call first'
      }
      actions={canFold ? <ViewToggle view={view} onChange={setView} /> : undefined}
    >
      {shown.map((exception, index) => (
        <ExceptionBlock key={index} exception={exception} isCause={index > 0} view={view} />
      ))}
      {shown.length < thrownFirst.length && (
        <button type="button" className="button button-small" onClick={() => setWhole(true)}>
          Show {countOf(thrownFirst.length - shown.length, 'more cause')}
        </button>
      )}
    </Section>
  )
}
