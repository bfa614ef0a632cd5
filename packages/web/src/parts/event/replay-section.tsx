/** The visit in which the event happened, at its second, and the others of the issue. */
import { Link, useParams } from '@sonde/router'
import { countOf } from '../../format/format-count.ts'
import { paths } from '../../paths.ts'
import { Section } from '../../ui/section.tsx'

export type ShownReplays = {
  /** Of the shown event; undefined: it names none that is kept. */
  readonly ofEvent?: { readonly replayId: string; readonly second: number } | undefined
  /** Of all of the issue's events. */
  readonly count: number
}

type Props = { readonly issueId: number; readonly replays: ShownReplays }

export function ReplaySection({ issueId, replays: { ofEvent, count } }: Props) {
  const { org, project } = useParams<'org' | 'project'>()
  if (!ofEvent && count === 0) return null
  const second = ofEvent?.second ?? 0
  const clock = `${Math.floor(second / 60)}:${String(second % 60).padStart(2, '0')}`
  return (
    <Section
      id="replay"
      title="Session replay"
      actions={
        count > 0 && (
          <Link
            className="button button-small"
            to={paths.replays(org, project, { issue: String(issueId), statsPeriod: '90d' })}
            prefetch="none"
          >
            {countOf(count, 'replay')}
          </Link>
        )
      }
    >
      {ofEvent ? (
        <p>
          <Link
            className="text-link"
            to={paths.replay(org, project, ofEvent.replayId, second)}
            prefetch="none"
          >
            Replay at {clock}
          </Link>{' '}
          <span className="muted">What the visitor saw and did before this event.</span>
        </p>
      ) : (
        <p className="muted">This event names no replay that is kept; others of the issue do.</p>
      )}
    </Section>
  )
}
