import '../../../../../../../styles/issue.css'
import { type DataOf, Link, usePageData, useParams } from '@sonde/router'
import { countOf, formatExact, formatShare } from '../../../../../../../format/format-count.ts'
import { issueLinks } from '../../../../../../../issue/issue-links.ts'
import { IssueTrail } from '../../../../../../../issue/issue-trail.tsx'
import { ShareBar } from '../../../../../../../issue/share-bar.tsx'
import { Count } from '../../../../../../../ui/count.tsx'
import { EmptyState } from '../../../../../../../ui/empty-state.tsx'
import { Age } from '../../../../../../../ui/time.tsx'
import { titleOf } from '../../../../../../../ui/user-text.tsx'
import type { load } from './page.server.ts'

export const title = ({ issue, key }: DataOf<typeof load>): string =>
  `${titleOf(key)} · ${issue.shortId} · Sonde`

export default function IssueTag() {
  const { issue, key, tag, filter } = usePageData<typeof load>()
  const { org } = useParams<'org'>()
  const links = issueLinks(org, issue.project, issue.shortId, { ...filter, range: filter.range ?? undefined })
  const { values, total, distinct } = tag
  return (
    <div className="page page-wide">
      <IssueTrail issue={issue} links={links} />
      <h1>
        <bdi>{key}</bdi>
      </h1>
      {values.length === 0 ? (
        <EmptyState title="No event has this tag">
          <p>None of the events that are still stored has a tag of this name.</p>
        </EmptyState>
      ) : (
        <>
          <p className="muted">
            {countOf(distinct, 'value')} in {countOf(total, 'event')}
            {values.length < distinct && `, the ${formatExact(values.length)} most frequent`}. Press one to
            see its events.
          </p>
          <table className="tag-table">
            <caption className="sr-only">Values, most frequent first</caption>
            <thead>
              <tr>
                <th scope="col">Value</th>
                <th scope="col" className="col-share">
                  Share
                </th>
                <th scope="col" className="col-num">
                  Events
                </th>
                <th scope="col" className="col-num col-first">
                  First seen
                </th>
                <th scope="col" className="col-num">
                  Last seen
                </th>
              </tr>
            </thead>
            <tbody>
              {values.map(({ value, count, firstSeenMs, lastSeenMs }) => (
                <tr key={value}>
                  <th scope="row">
                    <Link to={links.withTag(key, value)} prefetch="none" title={titleOf(value)}>
                      <bdi>{value}</bdi>
                    </Link>
                  </th>
                  <td className="col-share">
                    <span className="num">{formatShare(count, total)}</span>
                    <ShareBar part={count} whole={total} />
                  </td>
                  <td className="col-num">
                    <Count value={count} noun="event" />
                  </td>
                  <td className="col-num col-first">
                    <Age atMs={firstSeenMs} />
                  </td>
                  <td className="col-num">
                    <Age atMs={lastSeenMs} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
    </div>
  )
}
