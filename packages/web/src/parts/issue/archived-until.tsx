import { countOf, formatExact } from '../../format/format-count.ts'
import { Ago, ExactTime } from '../../ui/time.tsx'

type Until = {
  readonly untilMs?: number | undefined
  readonly events?: number | undefined
  readonly eventMinutes?: number | undefined
  readonly users?: number | undefined
  readonly userMinutes?: number | undefined
  readonly isUntilEscalating: boolean
}

const within = (minutes: number | undefined): string =>
  minutes === undefined
    ? ''
    : minutes % 1_440 === 0
      ? ` within ${countOf(minutes / 1_440, 'day')}`
      : ` within ${countOf(minutes, 'minute')}`

/** What brings an archived issue back. */
export function ArchivedUntilText({ until }: { readonly until: Until }) {
  const { untilMs, events, eventMinutes, users, userMinutes, isUntilEscalating } = until
  return (
    <span>
      until{' '}
      {untilMs !== undefined && (
        <>
          <ExactTime atMs={untilMs} /> (<Ago atMs={untilMs} />)
        </>
      )}
      {events !== undefined && `${formatExact(events)} more events${within(eventMinutes)}`}
      {users !== undefined && `${formatExact(users)} more users${within(userMinutes)}`}
      {isUntilEscalating && 'it escalates'}
    </span>
  )
}
