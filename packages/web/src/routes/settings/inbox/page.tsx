import './inbox.css'
import { Form, Link, usePageData } from '@sonde/router'
import { paths } from '../../../paths.ts'
import { EmptyState } from '../../../ui/section.tsx'
import { Ago } from '../../../ui/time.tsx'
import { UserText } from '../../../ui/user-text.tsx'
import type { load } from './page.server.ts'

export function title() {
  return 'Inbox · Sonde'
}

type Item = Awaited<ReturnType<typeof load>>['items'][number]

/** Of what the notification was about. An incident of a metric has a page of its own. */
const pathOf = ({ org, project, issue, incidentId, commentId }: Item): string =>
  issue === undefined
    ? incidentId === undefined
      ? project === ''
        ? paths.orgIssues(org)
        : paths.project(org, project)
      : paths.incident(org, project, incidentId)
    : commentId === undefined
      ? paths.issue(org, project, issue)
      : paths.issueActivity(org, project, issue, { from: commentId })

export default function Inbox() {
  const { items, unread, isUnread, isFirst, olderThan } = usePageData<typeof load>()
  const unreadSearch = isUnread ? ({ unread: 'yes' } as const) : {}
  return (
    <div className="page page-narrow">
      <div className="page-head">
        <h1>Inbox</h1>
      </div>
      <div className="inbox-tools">
        <nav className="segmented segmented-small" aria-label="Shown notifications">
          <Link to={paths.inbox()} aria-current={isUnread ? undefined : 'page'}>
            All
          </Link>
          <Link to={paths.inbox({ unread: 'yes' })} aria-current={isUnread ? 'page' : undefined}>
            Unread
          </Link>
        </nav>
        {unread > 0 && (
          <Form>
            <input type="hidden" name="form" value="read-all" />
            <button type="submit" className="button button-small">
              Mark all as read
            </button>
          </Form>
        )}
        <Link to={paths.notifications()}>Notification settings</Link>
      </div>
      {items.length === 0 ? (
        <EmptyState title={isUnread ? 'Everything is read' : 'No notifications'}>
          <p>
            {isFirst
              ? 'When an alert rule tells you or all members, or somebody works on an issue that you are subscribed to, it appears here.'
              : 'There are no older notifications.'}
          </p>
        </EmptyState>
      ) : (
        <ul className="inbox-list" aria-label="Notifications">
          {items.map((item) => (
            <InboxLine key={item.id} item={item} />
          ))}
        </ul>
      )}
      {olderThan !== undefined && (
        <p className="inbox-pages">
          <Link to={paths.inbox({ ...unreadSearch, before: String(olderThan) })}>Older</Link>
        </p>
      )}
    </div>
  )
}

/** Outlives the page that is left. */
function noteRead(id: number): void {
  navigator.sendBeacon(paths.inbox(), new URLSearchParams({ form: 'read', id: String(id) }))
}

function InboxLine({ item }: { readonly item: Item }) {
  return (
    <li className={item.isRead ? undefined : 'inbox-unread'}>
      <div className="inbox-item">
        <p className="muted">
          {!item.isRead && <span className="sr-only">Unread: </span>}
          <UserText text={item.headline} /> · <Ago atMs={item.createdMs} />
        </p>
        <p>
          <Link to={pathOf(item)} onClick={() => item.isRead || noteRead(item.id)}>
            <UserText text={item.title} />
          </Link>
        </p>
        <p className="muted">
          {item.quote !== undefined && (
            <>
              <UserText text={item.quote} />
              <br />
            </>
          )}
          {item.issue !== undefined && <>{item.issue} · </>}
          {item.place !== '' && (
            <>
              <UserText text={item.place} />
              {item.rule !== undefined && ' · '}
            </>
          )}
          {item.rule !== undefined && (
            <>
              rule <UserText text={item.rule} />
            </>
          )}
        </p>
      </div>
      {!item.isRead && (
        <Form>
          <input type="hidden" name="form" value="read" />
          <input type="hidden" name="id" value={item.id} />
          <button
            type="submit"
            className="button button-small button-quiet"
            aria-label={`Mark as read: ${item.title}`}
          >
            Mark as read
          </button>
        </Form>
      )}
    </li>
  )
}
