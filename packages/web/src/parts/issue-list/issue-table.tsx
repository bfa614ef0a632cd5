import { Link } from '@sonde/router'
import type { Ref } from 'react'
import { usePaths } from '../../shell/use-paths.ts'
import type { ShownRow } from './issue-list-screen.tsx'
import { IssueLine } from './issue-line.tsx'
import { type ListPlace, listPath } from './list-place.ts'
import { type ListSearch, type Sort, toSearch } from './list-search.ts'
import type { RowSelection } from './use-selection.ts'

type Props = {
  readonly ref: Ref<HTMLTableElement>
  readonly place: ListPlace
  readonly rows: readonly ShownRow[]
  readonly search: ListSearch
  /** The form that the rows' boxes belong to; undefined: nothing may be changed. */
  readonly formId: string | undefined
  readonly selection: RowSelection
}

/** One issue a row; the columns that the list can be sorted by are links. */
export function IssueTable({ ref, place, rows, search, formId, selection }: Props) {
  const paths = usePaths()
  const period = rows[0]?.bars.period === '14d' ? '14 days' : '24 hours'
  const header = (sort: Sort, name: string, className: string) => (
    <th scope="col" className={className} aria-sort={search.sort === sort ? 'descending' : undefined}>
      <Link to={listPath(place, toSearch(search, { sort }))} prefetch="none">
        {name}
      </Link>
    </th>
  )
  return (
    <table ref={ref} className="issue-table">
      <caption className="sr-only">Issues</caption>
      <thead>
        <tr>
          {formId !== undefined && (
            <th scope="col" className="col-box">
              <span className="sr-only">Selected</span>
            </th>
          )}
          <th scope="col" className="col-issue">
            Issue
          </th>
          <th scope="col" className="col-trend">
            {period}
          </th>
          {header('freq', 'Events', 'col-num')}
          {header('user', 'Users', 'col-num col-users')}
          {header('new', 'First seen', 'col-age col-first')}
          {header('date', 'Last seen', 'col-age')}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <IssueLine
            key={row.id}
            to={paths.issue(place.org, row.project.slug, row.shortId)}
            row={row}
            formId={formId}
            isChosen={selection.ids.has(row.id)}
            onToggle={selection.toggle}
          />
        ))}
      </tbody>
    </table>
  )
}
