import '../../../../styles/performance.css'
import { usePageData, useParams } from '@sonde/router'
import { FilterBar } from '../../../../performance/filter-bar.tsx'
import { NothingMeasured } from '../../../../performance/nothing-measured.tsx'
import { TransactionTable } from '../../../../performance/transaction-table.tsx'
import type { load } from './page.server.ts'

export const title = (): string => 'Performance · Sonde'

export default function Performance() {
  const { rows, sort, dsn, isNarrowed, choices } = usePageData<typeof load>()
  const { org, project } = useParams<'org' | 'project'>()
  return (
    <div className="page page-wide">
      <h1 className="sr-only">Performance of {project}</h1>
      <FilterBar org={org} project={project} source="transactions" choices={choices} />
      {rows.length === 0 ? (
        <NothingMeasured
          title="No transactions yet"
          what="Page loads, navigations and requests that servers answered, by route: how many, how long, how many failed."
          dsn={dsn}
          isNarrowed={isNarrowed}
        />
      ) : (
        <TransactionTable rows={rows} sort={sort} />
      )}
    </div>
  )
}
