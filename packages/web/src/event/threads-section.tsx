import type { Thread } from '@sonde/protocol/event'
import { useState } from 'react'
import { Badge } from '../ui/badge.tsx'
import { Section } from '../ui/section.tsx'
import { UserText } from '../ui/user-text.tsx'
import { type FrameView, hasFolds } from './frame-groups.ts'
import { StackTrace } from './stack-trace.tsx'
import { ViewToggle } from './view-toggle.tsx'

const MAX_SHOWN = 200

const rank = (thread: Thread): number => (thread.crashed ? 2 : thread.current ? 1 : 0)

/** What every thread did at that moment; the one that crashed first and open. */
export function ThreadsSection({ threads }: { readonly threads: readonly Thread[] }) {
  const [view, setView] = useState<FrameView>('in-app')
  const canFold = hasFolds(threads.map(({ stacktrace }) => stacktrace?.frames ?? []))
  const ordered = threads.toSorted((a, b) => rank(b) - rank(a))
  return (
    <Section
      id="threads"
      title="Threads"
      note={`${threads.length}, most recent call first`}
      actions={canFold ? <ViewToggle view={view} onChange={setView} /> : undefined}
    >
      {ordered.slice(0, MAX_SHOWN).map((thread, index) => (
        <details key={index} className="thread" open={index === 0}>
          <summary>
            <UserText text={thread.name ?? `Thread ${thread.id ?? index}`} />
            {thread.crashed && <Badge tone="bad">crashed</Badge>}
            {thread.current && !thread.crashed && <Badge>current</Badge>}
            {thread.main && <Badge>main</Badge>}
            {thread.state !== undefined && (
              <span className="muted">
                <UserText text={thread.state} />
              </span>
            )}
          </summary>
          {thread.stacktrace && thread.stacktrace.frames.length > 0 ? (
            <StackTrace stacktrace={thread.stacktrace} view={view} />
          ) : (
            <p className="muted">No stack trace was sent.</p>
          )}
        </details>
      ))}
    </Section>
  )
}
