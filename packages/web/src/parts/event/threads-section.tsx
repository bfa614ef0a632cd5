import type { Exception, Thread } from '@sonde/protocol/event'
import { useSearchParams } from '@sonde/router'
import { useState } from 'react'
import { countOf } from '../../format/format-count.ts'
import { Badge } from '../../ui/badge.tsx'
import { Section } from '../../ui/section.tsx'
import { UserText } from '../../ui/user-text.tsx'
import { DoctorNotes } from './doctor/doctor-notes.tsx'
import { hasFolds } from './frame-groups.ts'
import { StackTrace } from './stack-trace.tsx'
import { asShown, ORDER_NAMES, RawSwitch, useIsRaw, useStackView, ViewToggle } from './stack-view.tsx'

const MAX_SHOWN = 200

type Props = {
  readonly threads: readonly Thread[]
  readonly exceptions: readonly Exception[]
  readonly platform: string
  /** No exception has a stack: what is said of all stacks is said here. */
  readonly isAlone: boolean
}

const rank = (thread: Thread): number => (thread.crashed ? 2 : thread.current ? 1 : 0)
const hasStack = ({ stacktrace }: Thread): boolean => (stacktrace?.frames.length ?? 0) > 0

/** What every thread did at that moment, one at a time; the one that crashed first. */
export function ThreadsSection({ threads, exceptions, platform, isAlone }: Props) {
  const view = useStackView()
  const [params] = useSearchParams()
  const ordered = asShown(useIsRaw(), threads)
    .toSorted((a, b) => rank(b) - rank(a))
    .slice(0, MAX_SHOWN)
  const [chosen, setChosen] = useState(() => Number(params.get('thread')) || 0)
  const thread = ordered[chosen] ?? ordered[0]
  if (!thread) return null
  const canFold = hasFolds([thread.stacktrace?.frames ?? []])
  const isThrower = exceptions.some(({ thread_id: id }) => id !== undefined && id === thread.id)
  return (
    <Section
      id="threads"
      title="Threads"
      note={`${threads.length}, ${ORDER_NAMES[view.order]}`}
      actions={
        <div className="stack-actions">
          <RawSwitch of={threads} section="threads" />
          <ViewToggle view={view} canFold={canFold} />
        </div>
      }
    >
      {isAlone && <DoctorNotes />}
      {ordered.length > 1 && (
        <form className="thread-picker" method="get">
          <label htmlFor="thread">Thread</label>
          <select
            id="thread"
            name="thread"
            className="input"
            value={chosen}
            onChange={({ target }) => setChosen(target.selectedIndex)}
          >
            {ordered.map((entry, index) => (
              <option key={index} value={index}>
                {threadText(entry, index)}
              </option>
            ))}
          </select>
          <noscript>
            <button type="submit" className="button">
              Show
            </button>
          </noscript>
        </form>
      )}
      <p className="thread-name">
        <UserText text={threadName(thread, chosen)} /> {thread.crashed && <Badge tone="bad">crashed</Badge>}
        {thread.current && !thread.crashed && <Badge>current</Badge>}
        {thread.main && <Badge>main</Badge>}
        {thread.state !== undefined && (
          <span className="muted">
            <UserText text={thread.state} />
          </span>
        )}
      </p>
      {thread.stacktrace && hasStack(thread) ? (
        <StackTrace key={chosen} stacktrace={thread.stacktrace} view={view} platform={platform} />
      ) : (
        <p className="muted">{isThrower ? 'Crashed thread. See the stack trace above.' : 'No stack trace'}</p>
      )}
    </Section>
  )
}

const threadName = (thread: Thread, index: number): string => thread.name ?? `Thread ${thread.id ?? index}`

function threadText(thread: Thread, index: number): string {
  const name = threadName(thread, index)
  const notes = [
    thread.crashed ? 'crashed' : thread.current ? 'current' : undefined,
    thread.state,
    hasStack(thread) ? countOf(thread.stacktrace?.frames.length ?? 0, 'frame') : 'no stack',
  ].filter((note) => note !== undefined)
  return `${name.length > 60 ? `${name.slice(0, 59)}…` : name} (${notes.join(', ')})`
}
