import type { EventDetail, IssueDetail } from '@sonde/queries'
import { Link } from '@sonde/router'
import { formatBytes } from '../format/format-count.ts'
import { paths } from '../paths.ts'
import { Icon, type IconName } from '../ui/icon.tsx'
import { Ago, ExactTime } from '../ui/time.tsx'

type Props = {
  readonly org: string
  readonly issue: Pick<IssueDetail, 'shortId' | 'project'>
  readonly detail: Pick<EventDetail, 'event' | 'neighbours' | 'sizeBytes' | 'timestampMs'>
  /** `id` when the event was asked for by its id. */
  readonly choice: string
}

/** Which of the issue's events is shown, and the ways to the others. */
export function EventBar({ org, issue, detail, choice }: Props) {
  const { event, neighbours, sizeBytes, timestampMs } = detail
  const project = issue.project.slug
  const isAlone = neighbours.previousId === undefined && neighbours.nextId === undefined
  const to = (ref: string): string => paths.event(org, project, issue.shortId, ref)
  return (
    <div className="event-bar">
      <div className="event-bar-text">
        <span className="event-bar-id" title={`Event ${event.event_id}`}>
          {choice === 'latest' ? 'Latest event' : 'Event'} <code>{event.event_id.slice(0, 8)}</code>
        </span>
        <span className="muted">
          <Ago atMs={timestampMs} /> · <ExactTime atMs={timestampMs} />
        </span>
      </div>
      <nav className="event-bar-nav" aria-label="Events of this issue">
        {!isAlone && (
          <>
            <Step to={neighbours.previousId === undefined ? undefined : to('oldest')} label="Oldest" />
            <Step
              to={neighbours.previousId === undefined ? undefined : to(neighbours.previousId)}
              label="Older"
              icon="previous"
            />
            <Step
              to={neighbours.nextId === undefined ? undefined : to(neighbours.nextId)}
              label="Newer"
              icon="chevron"
            />
            <Step to={neighbours.nextId === undefined ? undefined : to('latest')} label="Latest" />
          </>
        )}
        <a
          className="button button-small"
          href={paths.eventJson(org, project, issue.shortId, event.event_id)}
          title={`The stored event, ${formatBytes(sizeBytes)}`}
        >
          JSON
        </a>
      </nav>
    </div>
  )
}

type StepProps = {
  readonly to: string | undefined
  readonly label: string
  readonly icon?: IconName
}

function Step({ to, label, icon }: StepProps) {
  const text = (
    <>
      {icon === 'previous' && <Icon name={icon} />}
      {label}
      {icon === 'chevron' && <Icon name={icon} />}
    </>
  )
  if (to === undefined) {
    return (
      <span className="button button-small" aria-disabled="true">
        {text}
      </span>
    )
  }
  return (
    <Link className="button button-small" to={to} prefetch="intent">
      {text}
    </Link>
  )
}
