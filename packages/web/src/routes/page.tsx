import './org-list.css'
import { Link, usePageData } from '@sonde/router'
import { countOf } from '../format/format-count.ts'
import { paths } from '../paths.ts'
import { EmptyState } from '../ui/section.tsx'
import { UserText } from '../ui/user-text.tsx'
import type { load } from './page.server.ts'

export function title() {
  return 'Organizations · Sonde'
}

export default function Organizations() {
  const { organizations, closedOrgs, deletedCount, email } = usePageData<typeof load>()
  if (organizations.length === 0 && closedOrgs.length === 0) {
    return (
      <div className="page">
        <h1 className="sr-only">Organizations</h1>
        <EmptyState title="You’re not in any organization yet">
          <p>
            Ask an owner to add <strong>{email}</strong> to an organization.
          </p>
          <RestoreHint count={deletedCount} />
        </EmptyState>
      </div>
    )
  }
  return (
    <div className="page">
      <h1>Organizations</h1>
      <ul className="org-list">
        {organizations.map((org) => (
          <li key={org.id}>
            <Link to={paths.org(org.slug)}>
              <UserText text={org.name} />
            </Link>
            <span className="muted">{countOf(org.projectCount, 'project')}</span>
          </li>
        ))}
        {closedOrgs.map((org) => (
          <li key={org.slug}>
            <Link
              to={
                org.closedBy === 'second-factor' ? paths.secondFactorFor(org.slug) : paths.signInSso(org.slug)
              }
            >
              <UserText text={org.name} />
            </Link>
            <span className="muted">
              {org.closedBy === 'second-factor' ? 'needs two-factor sign-in' : 'needs another sign-in'}
            </span>
          </li>
        ))}
      </ul>
      <RestoreHint count={deletedCount} />
    </div>
  )
}

/** Also who deleted the only organization finds it. */
function RestoreHint({ count }: { readonly count: number }) {
  if (count === 0) return null
  return (
    <p>
      {countOf(count, 'organization')} {count === 1 ? 'was' : 'were'} deleted and can be restored:{' '}
      <Link className="text-link" to={paths.deletedOrganizations()}>
        Recently deleted
      </Link>
    </p>
  )
}
