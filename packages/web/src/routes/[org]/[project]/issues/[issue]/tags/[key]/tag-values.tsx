import { Form, Link } from '@sonde/router'
import { countOf, formatShare } from '../../../../../../../format/format-count.ts'
import type { IssueLinks } from '../../../../../../../parts/issue/issue-links.ts'
import { ReleaseLink } from '../../../../../../../parts/release-link.tsx'
import { ShareBar } from '../../../../../../../parts/split-bar.tsx'
import { Count } from '../../../../../../../ui/count.tsx'
import { EmptyState } from '../../../../../../../ui/section.tsx'
import { Age } from '../../../../../../../ui/time.tsx'
import { titleOf } from '../../../../../../../ui/user-text.tsx'

type Value = {
  readonly value: string
  readonly count: number
  readonly firstSeenMs: number
  readonly lastSeenMs: number
}
type Edge = { readonly cursor: string; readonly hasResults: boolean }
type Props = {
  readonly page: {
    readonly key: string
    readonly total: number
    readonly distinct: number
    readonly rows: readonly Value[]
    readonly previous: Edge
    readonly next: Edge
  }
  readonly contains: string
  readonly links: IssueLinks
}

/** Every value of one tag, most frequent first; a press shows the issue with only its events. */
export function TagValues({ page, contains, links }: Props) {
  const { key, total, distinct, rows, previous, next } = page
  if (total === 0) {
    return (
      <EmptyState title="No events have this tag">
        <p>No stored events carry this tag.</p>
      </EmptyState>
    )
  }
  const here = links.tag(key)
  const [path = '', search = ''] = here.split('?')
  const pageTo = (cursor: string): string => {
    const params = new URLSearchParams(search)
    if (contains !== '') params.set('value', contains)
    params.set('cursor', cursor)
    return `${path}?${params}`
  }
  return (
    <>
      <p className="muted">
        {countOf(distinct, 'value')} in {countOf(total, 'event')}. Select a value to filter events.
      </p>
      <Form method="get" action={path} role="search" className="event-search-form tag-search" key={contains}>
        <label className="sr-only" htmlFor="tag-value">
          Filter values
        </label>
        <input
          id="tag-value"
          className="input"
          name="value"
          type="search"
          defaultValue={contains}
          placeholder="Filter values"
          autoComplete="off"
          dir="auto"
        />
        {[...new URLSearchParams(search)].map(([name, value]) => (
          <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
        ))}
        <button type="submit" className="button">
          Search
        </button>
      </Form>
      {rows.length === 0 ? <p className="muted">No matching values.</p> : <Values {...{ page, links }} />}
      {(previous.hasResults || next.hasResults) && (
        <nav className="event-pages" aria-label="Pages">
          {previous.hasResults && (
            <Link className="button button-small" to={pageTo(previous.cursor)}>
              Previous
            </Link>
          )}
          {next.hasResults && (
            <Link className="button button-small" to={pageTo(next.cursor)}>
              Next
            </Link>
          )}
        </nav>
      )}
    </>
  )
}

function Values({ page: { key, total, rows }, links }: Pick<Props, 'page' | 'links'>) {
  return (
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
        {rows.map(({ value, count, firstSeenMs, lastSeenMs }) => (
          <tr key={value}>
            <th scope="row">
              <Link
                to={links.withTag(key, value)}
                prefetch="none"
                title={titleOf(value)}
                aria-current={links.hasTag(key, value) || undefined}
              >
                <bdi>{value}</bdi>
              </Link>{' '}
              {key === 'release' && <ReleaseLink release={value}>View release</ReleaseLink>}
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
  )
}
