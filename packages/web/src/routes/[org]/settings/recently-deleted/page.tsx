import '../../../../parts/forms/settings.css'
import { Link, usePageData, useParams } from '@sonde/router'
import { DeletedList } from '../../../../parts/deleted/deleted-list.tsx'
import { SavedNotice } from '../../../../parts/forms/saved-notice.tsx'
import { paths } from '../../../../paths.ts'
import { EmptyState } from '../../../../ui/section.tsx'
import { SettingsHead } from '../settings-head.tsx'
import type { load } from './page.server.ts'

export const title = (): string => 'Recently deleted · Sonde'

export default function RecentlyDeleted() {
  const { orgName, lines, isFirst, nextBefore } = usePageData<typeof load>()
  const { org } = useParams<'org'>()
  return (
    <div className="page page-narrow">
      <SettingsHead name={orgName} here="recently-deleted">
        <span className="muted">recently deleted</span>
      </SettingsHead>
      <SavedNotice />
      <p className="muted">
        Deleted issues, events and projects can be restored for a day, with everything that belongs to them.
        Then they are removed for good. Whole organizations are on{' '}
        <Link className="text-link" to={paths.deletedOrganizations()}>
          a page of their own
        </Link>
        .
      </p>
      {lines.length === 0 ? (
        <EmptyState title={isFirst ? 'Nothing was deleted' : 'Nothing more'}>
          <p>Issues, events and projects that somebody deletes are listed here for a day.</p>
        </EmptyState>
      ) : (
        <DeletedList lines={lines} org={org} />
      )}
      <nav className="settings-line" aria-label="Pages">
        {!isFirst && (
          <Link className="button button-small" to={paths.recentlyDeleted(org)}>
            Newest
          </Link>
        )}
        {nextBefore !== undefined && (
          <Link className="button button-small" to={paths.recentlyDeleted(org, nextBefore)}>
            Older
          </Link>
        )}
      </nav>
    </div>
  )
}
