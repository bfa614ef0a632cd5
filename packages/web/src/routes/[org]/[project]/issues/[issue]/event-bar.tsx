import type { EventDetail } from '@sonde/queries'
import { Form, Link, useNavigate } from '@sonde/router'
import { formatBytes } from '../../../../../format/format-count.ts'
import { isNarrowed } from '../../../../../parts/event-filter/event-filter.ts'
import { loadCopyTexts, useCopyTexts } from '../../../../../parts/event/copy/load-copy-texts.ts'
import type { IssueLinks } from '../../../../../parts/issue/issue-links.ts'
import { useShortcuts } from '../../../../../shell/use-shortcuts.ts'
import { CopyButton } from '../../../../../ui/copy-button.tsx'
import { Icon, type IconName } from '../../../../../ui/icon.tsx'
import { Ago, ExactTime } from '../../../../../ui/time.tsx'

type Props = {
  readonly links: IssueLinks
  readonly shortId: string
  readonly detail: Pick<EventDetail, 'event' | 'neighbours' | 'sizeBytes' | 'timestampMs'>
  readonly mayDelete: boolean
  readonly choice: 'latest' | 'oldest' | 'recommended' | 'id'
}

const NAMES = {
  latest: 'Latest event',
  oldest: 'Oldest event',
  recommended: 'Recommended event',
  id: 'Event',
}

/** Which of the issue's events is shown, and the ways to the others. */
export function EventBar({ links, shortId, detail, mayDelete, choice }: Props) {
  const { event, neighbours, sizeBytes, timestampMs } = detail
  const { previousId, nextId } = neighbours
  const isAlone = previousId === undefined && nextId === undefined
  const navigate = useNavigate()
  useCopyTexts()
  const go = (id: string | undefined) =>
    id === undefined ? undefined : () => void navigate(links.event(id), { preventScrollReset: true })
  const [older, newer] = [go(previousId), go(nextId)]
  useShortcuts({
    ...(older && { 'issue.older': older }),
    ...(newer && { 'issue.newer': newer }),
  })
  return (
    <div className="event-bar">
      <div className="event-bar-text">
        <span className="event-bar-id" title={`Event ${event.event_id}`}>
          {NAMES[choice]} <code>{event.event_id.slice(0, 8)}</code>
        </span>
        <span className="muted">
          <Ago atMs={timestampMs} /> · <ExactTime atMs={timestampMs} />
          {isNarrowed(links.filter) && !isAlone && ' · of the matching events'}
        </span>
      </div>
      <nav className="event-bar-nav" aria-label="Events of this issue">
        {!isAlone && (
          <>
            <Step to={previousId && links.event('oldest')} label="Oldest" />
            <Step to={previousId && links.event(previousId)} label="Older" icon="previous" keys="[" />
            <Step to={nextId && links.event(nextId)} label="Newer" icon="chevron" keys="]" />
            <Step to={nextId && links.event('latest')} label="Latest" />
            {choice !== 'recommended' && (
              <Step
                to={links.event('recommended')}
                label="Recommended"
                title="Newest event with a stack trace, user and trace"
              />
            )}
          </>
        )}
        <Link className="button button-small" to={links.list()} prefetch="intent">
          All events
        </Link>
        <CopyButton text={event.event_id} what="event ID" label="ID" />
        <CopyButton
          text={async () => (await loadCopyTexts()).copyEvent(event, { shortId, url: window.location.href })}
          what="event as Markdown"
          label="Markdown"
        />
        <CopyButton
          text={() => promptOf(links.prompt(event.event_id))}
          what="as prompt: this event for a language model"
          label="Copy as prompt"
        />
        <a
          className="button button-small"
          href={links.json(event.event_id)}
          title={`The stored event, ${formatBytes(sizeBytes)}`}
        >
          JSON
        </a>
        {mayDelete && (
          <Form action={links.list()}>
            <input type="hidden" name="event" value={event.event_id} />
            <button type="submit" className="button button-small" title="Can be undone for a day">
              Delete event
            </button>
          </Form>
        )}
      </nav>
    </div>
  )
}

async function promptOf(url: string): Promise<string> {
  const answer = await fetch(url)
  if (!answer.ok) throw new Error(`the prompt answered ${answer.status}`)
  return answer.text()
}

type StepProps = {
  readonly to: string | undefined
  readonly label: string
  readonly icon?: IconName
  readonly keys?: string
  readonly title?: string
}

function Step({ to, label, icon, keys, title }: StepProps) {
  const text = (
    <>
      {icon === 'previous' && <Icon name={icon} />}
      {label}
      {icon === 'chevron' && <Icon name={icon} />}
    </>
  )
  if (to === undefined || to === '') {
    return (
      <span className="button button-small" aria-disabled="true">
        {text}
      </span>
    )
  }
  return (
    <Link
      className="button button-small"
      to={to}
      prefetch="intent"
      preventScrollReset
      title={title ?? (keys === undefined ? undefined : `${label} event (${keys})`)}
      aria-keyshortcuts={keys}
    >
      {text}
    </Link>
  )
}
