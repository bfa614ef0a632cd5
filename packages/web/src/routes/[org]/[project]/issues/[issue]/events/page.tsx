import '../../../../../../parts/deleted/undo-notice.css'
import '../issue.css'
import type { EventRow } from '@sonde/queries'
import { type DataOf, Form, Link, usePageData, useParams } from '@sonde/router'
import { useState } from 'react'
import { formatExact } from '../../../../../../format/format-count.ts'
import { issueLinks, type IssueLinks } from '../../../../../../parts/issue/issue-links.ts'
import { paths } from '../../../../../../paths.ts'
import { Level, levelClass } from '../../../../../../ui/badge.tsx'
import { EmptyState } from '../../../../../../ui/section.tsx'
import { Age } from '../../../../../../ui/time.tsx'
import { UserText } from '../../../../../../ui/user-text.tsx'
import { EventSearch } from '../event-search.tsx'
import { IssueTrail } from '../issue-trail.tsx'
import type { load } from './page.server.ts'

export const title = ({ issue }: DataOf<typeof load>): string => `Events · ${issue.shortId} · Sonde`

export default function IssueEvents() {
  const { issue, page, filter, refusal, mayDelete, deleted, isRestored, isBusy } = usePageData<typeof load>()
  const { org } = useParams<'org'>()
  const links = issueLinks(org, issue.project, issue.shortId, { ...filter, range: filter.range ?? undefined })
  return (
    <div className="page page-wide">
      <IssueTrail issue={issue} links={links} />
      <h1>Events</h1>
      {deleted && (
        <Form action={links.list()} className="undo-notice">
          <span role="status">
            {deleted.events === 1
              ? 'The event is deleted. It can be restored for a day.'
              : `${formatExact(deleted.events)} events are deleted. They can be restored for a day.`}
          </span>
          <input type="hidden" name="restore" value={deleted.id} />
          <button type="submit" className="button button-small">
            Undo
          </button>
          <Link className="text-link" to={paths.recentlyDeleted(org)}>
            Recently deleted
          </Link>
        </Form>
      )}
      {isBusy && (
        <p role="alert" className="undo-notice">
          Nothing was changed: other events of this project are being moved or erased. Try again in a moment.
        </p>
      )}
      {isRestored && (
        <p role="status" className="undo-notice">
          The deleted events are there again.
        </p>
      )}
      <EventSearch
        action={links.list()}
        filter={links.filter}
        refusal={refusal}
        withFilter={links.listWith}
      />
      {page && page.rows.length > 0 && <EventTable page={page} links={links} mayDelete={mayDelete} />}
      {page?.rows.length === 0 && (
        <EmptyState title="No matching events">
          <p>No stored events match.</p>
        </EmptyState>
      )}
    </div>
  )
}

type ListedEvent = Omit<EventRow, 'tags'> & {
  readonly browser: string
  readonly os: string
  readonly server: string
}
type Edge = { readonly cursor: string; readonly hasResults: boolean }
type EventTableProps = {
  readonly page: { readonly rows: readonly ListedEvent[]; readonly previous: Edge; readonly next: Edge }
  readonly links: IssueLinks
  readonly mayDelete: boolean
}

/** One event a row, newest first. */
function EventTable({ page, links, mayDelete }: EventTableProps) {
  const { rows, previous, next } = page
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  // Those that were deleted are on the page no more.
  const count = rows.filter(({ eventId }) => chosen.has(eventId)).length
  const choose = (eventId: string, isChosen: boolean) =>
    setChosen((before) => {
      const now = new Set(before)
      if (isChosen) now.add(eventId)
      else now.delete(eventId)
      return now
    })
  return (
    <Form action={links.list()}>
      {mayDelete && (
        <p>
          <button type="submit" className="button button-small">
            {count > 1 ? `Delete ${count} events` : 'Delete selected events'}
          </button>
        </p>
      )}
      <div className="event-table-place">
        <table className="event-table">
          <caption className="sr-only">Events of the issue, newest first</caption>
          <thead>
            <tr>
              {mayDelete && (
                <th scope="col">
                  <span className="sr-only">Selected</span>
                </th>
              )}
              <th scope="col">Event</th>
              <th scope="col">Time</th>
              <th scope="col">Level</th>
              <th scope="col" className="col-title">
                Title
              </th>
              <th scope="col">Release</th>
              <th scope="col">Environment</th>
              <th scope="col">User</th>
              <th scope="col">Device</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.eventId} className={levelClass(row.level)}>
                {mayDelete && (
                  <td>
                    <input
                      type="checkbox"
                      name="event"
                      value={row.eventId}
                      aria-label={`Select event ${row.eventId.slice(0, 8)}`}
                      onChange={({ target }) => choose(row.eventId, target.checked)}
                    />
                  </td>
                )}
                <th scope="row">
                  <Link to={links.event(row.eventId)} prefetch="intent" title={row.eventId}>
                    <code>{row.eventId.slice(0, 8)}</code>
                  </Link>
                </th>
                <td className="num">
                  <Age atMs={row.timestampMs} />
                </td>
                <td>
                  <Level level={row.level} />
                </td>
                <td className="col-title">
                  <UserText text={row.title} />
                </td>
                <td>
                  <UserText text={row.release} />
                </td>
                <td>
                  <UserText text={row.environment} />
                </td>
                <td>
                  <UserText text={row.userKey.replace(/^[a-z]+:/, '')} />
                </td>
                <td>
                  <UserText
                    text={[row.browser, row.os, row.server].filter((part) => part !== '').join(' · ')}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {(previous.hasResults || next.hasResults) && (
        <nav className="event-pages" aria-label="Pages">
          <PageLink edge={previous} text="Newer" links={links} />
          <PageLink edge={next} text="Older" links={links} />
        </nav>
      )}
    </Form>
  )
}

function PageLink({ edge, text, links }: { readonly edge: Edge; readonly text: string; links: IssueLinks }) {
  if (!edge.hasResults) {
    return (
      <span className="button button-small" aria-disabled="true">
        {text}
      </span>
    )
  }
  const list = links.list()
  const to = `${list}${list.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(edge.cursor)}`
  return (
    <Link className="button button-small" to={to} prefetch="intent">
      {text}
    </Link>
  )
}
