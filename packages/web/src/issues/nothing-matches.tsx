import { Link } from '@sonde/router'
import { paths } from '../paths.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { UserText } from '../ui/user-text.tsx'
import { type ListSearch, statusOf, toSearch, withStatus } from './list-search.ts'

type Props = { readonly org: string; readonly project: string; readonly search: ListSearch }

/** Says what was looked for and the ways to see more. */
export function NothingMatches({ org, project, search }: Props) {
  const { query, period } = search
  const isDefault = query.trim() === 'is:unresolved' && period === ''
  if (isDefault) {
    return (
      <EmptyState title="No unresolved issue">
        <p>Everything that went wrong has been dealt with.</p>
        <p>
          <Link to={paths.issues(org, project, { query: '' })}>Show resolved and ignored ones</Link>
        </p>
      </EmptyState>
    )
  }
  const hasStatus = statusOf(query) !== 'all'
  return (
    <EmptyState title="No issue matches">
      {query.trim() !== '' && (
        <p>
          Looked for <UserText className="query-shown" text={query} />
        </p>
      )}
      <ul className="ways-on">
        {period !== '' && (
          <li>
            <Link to={paths.issues(org, project, toSearch(search, { period: '' }))}>
              Look through all time
            </Link>
          </li>
        )}
        {hasStatus && query.trim() !== '' && (
          <li>
            <Link to={paths.issues(org, project, toSearch(search, { query: withStatus(query, 'all') }))}>
              Include every status
            </Link>
          </li>
        )}
        <li>
          <Link to={paths.issues(org, project)}>Start over with unresolved issues</Link>
        </li>
      </ul>
    </EmptyState>
  )
}
