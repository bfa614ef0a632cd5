import '../../../../styles/performance.css'
import { usePageData, useParams } from '@sonde/router'
import { NavigationTable } from '../../../../performance/navigation-table.tsx'
import { FilterBar } from '../../../../performance/filter-bar.tsx'
import { NothingMeasured } from '../../../../performance/nothing-measured.tsx'
import type { load } from './page.server.ts'

export const title = (): string => 'Navigations · Sonde'

export default function Navigations() {
  const { rows, dsn, isNarrowed, choices } = usePageData<typeof load>()
  const { org, project } = useParams<'org' | 'project'>()
  return (
    <div className="page page-wide">
      <h1 className="sr-only">Navigations in {project}</h1>
      <FilterBar org={org} project={project} source="navigations" choices={choices} />
      {rows.length === 0 ? (
        <NothingMeasured
          title="No navigations yet"
          what="Every change of page that the client-side router makes is one record: from where to where, what it waited for, how it ended."
          dsn={dsn}
          isNarrowed={isNarrowed}
        />
      ) : (
        <NavigationTable pairs={rows} />
      )}
    </div>
  )
}
