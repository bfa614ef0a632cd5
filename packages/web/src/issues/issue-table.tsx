import { paths } from '../paths.ts'
import { Link } from '@sonde/router'
import type { IssueListRow } from '@sonde/queries'
import { IssueLine } from './issue-line.tsx'
import { type ListSearch, type Sort, toSearch } from './list-search.ts'

type Props = {
  readonly org: string
  readonly project: string
  readonly rows: readonly IssueListRow[]
  readonly search: ListSearch
}

/** One issue a row; the columns that the list can be sorted by are links. */
export function IssueTable({ org, project, rows, search }: Props) {
  const period = rows[0]?.bars.period === '14d' ? '14 days' : '24 hours'
  const header = (sort: Sort, name: string, className: string) => (
    <th scope="col" className={className} aria-sort={search.sort === sort ? 'descending' : undefined}>
      <Link to={paths.issues(org, project, toSearch(search, { sort }))} prefetch="none">
        {name}
      </Link>
    </th>
  )
  return (
    <table className="issue-table">
      <caption className="sr-only">Issues</caption>
      <thead>
        <tr>
          <th scope="col">Issue</th>
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
          <IssueLine key={row.id} org={org} row={row} />
        ))}
      </tbody>
    </table>
  )
}
