import type { EventRow } from '@sonde/queries'
import { Link } from '@sonde/router'
import { Level, levelClass } from '../../../../../../ui/level.tsx'
import { Age } from '../../../../../../ui/time.tsx'
import { UserText } from '../../../../../../ui/user-text.tsx'
import type { IssueLinks } from '../../../../../../parts/issue/issue-links.ts'

export type ListedEvent = Omit<EventRow, 'tags'> & {
  readonly browser: string
  readonly os: string
  readonly server: string
}
type Edge = { readonly cursor: string; readonly hasResults: boolean }
type Props = {
  readonly page: { readonly rows: readonly ListedEvent[]; readonly previous: Edge; readonly next: Edge }
  readonly links: IssueLinks
}

/** One event a row, newest first. */
export function EventTable({ page, links }: Props) {
  const { rows, previous, next } = page
  return (
    <>
      <div className="event-table-place">
        <table className="event-table">
          <caption className="sr-only">Events of the issue, newest first</caption>
          <thead>
            <tr>
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
    </>
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
