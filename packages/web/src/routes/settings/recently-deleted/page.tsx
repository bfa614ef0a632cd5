import '../../../parts/forms/settings.css'
import { usePageData } from '@sonde/router'
import { DeletedList } from '../../../parts/deleted/deleted-list.tsx'
import { SavedNotice } from '../../../parts/forms/saved-notice.tsx'
import { EmptyState } from '../../../ui/section.tsx'
import type { load } from './page.server.ts'

export const title = (): string => 'Deleted organizations · Sonde'

export default function DeletedOrganizations() {
  const { lines } = usePageData<typeof load>()
  return (
    <div className="page page-narrow">
      <div className="page-head">
        <h1>Deleted organizations</h1>
      </div>
      <SavedNotice />
      {lines.length === 0 ? (
        <EmptyState title="No organization was deleted">
          <p>An organization that its owner deletes is listed here for a day.</p>
        </EmptyState>
      ) : (
        <>
          <p className="muted">
            A deleted organization can be restored for a day, with its members, projects and data. Then it is
            removed for good.
          </p>
          <DeletedList lines={lines} />
        </>
      )}
    </div>
  )
}
