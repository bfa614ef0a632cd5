import '../../../../styles/performance.css'
import { usePageData, useParams } from '@sonde/router'
import { FilterBar } from '../../../../performance/filter-bar.tsx'
import { NothingMeasured } from '../../../../performance/nothing-measured.tsx'
import { VitalTable } from '../../../../performance/vital-table.tsx'
import type { load } from './page.server.ts'

export const title = (): string => 'Web vitals · Sonde'

export default function Vitals() {
  const { rows, names, thresholds, dsn, isNarrowed, choices } = usePageData<typeof load>()
  const { org, project } = useParams<'org' | 'project'>()
  return (
    <div className="page page-wide">
      <h1 className="sr-only">Web vitals of {project}</h1>
      <FilterBar org={org} project={project} source="vitals" choices={choices} />
      {rows.length === 0 ? (
        <NothingMeasured
          title="No web vitals yet"
          what="They say how pages feel to the people who visit them: when the largest part showed, how long presses took, what jumped."
          dsn={dsn}
          isNarrowed={isNarrowed}
        />
      ) : (
        <VitalTable rows={rows} names={names} thresholds={thresholds} />
      )}
    </div>
  )
}
