import '../../../../charts/charts.css'
import '../../../../parts/performance/performance.css'
import '../../../../parts/vitals/vitals.css'
import { usePageData, useParams } from '@sonde/router'
import { FilterBar } from '../../../../parts/filter-bar/filter-bar.tsx'
import { NothingMeasured } from '../../../../parts/performance/nothing-measured.tsx'
import { Section } from '../../../../ui/section.tsx'
import { ChosenRoute } from './chosen-route.tsx'
import { VitalDetail } from './vital-detail.tsx'
import { VitalRouteTable } from './vital-route-table.tsx'
import { VitalTiles } from './vital-tiles.tsx'
import { vitalTitle } from '../../../../parts/vitals/vital-words.ts'
import type { load } from './page.server.ts'

export const title = (): string => 'Web vitals · Sonde'

export default function Vitals() {
  const { choice, overview, changes, routes, isCut, choices, detail, dsn, isNarrowed } =
    usePageData<typeof load>()
  const { org, project } = useParams<'org' | 'project'>()
  const table = routes.length > 0 && <VitalRouteTable rows={routes} sort={choice.sort} isCut={isCut} />
  return (
    <div className="page page-wide">
      <h1 className="sr-only">Web vitals of {project}</h1>
      <FilterBar org={org} project={project} source="vitals" choices={choices} />
      {choice.route !== undefined && <ChosenRoute route={choice.route} />}
      {overview.length === 0 ? (
        <NothingMeasured
          title="No web vitals yet"
          what="They say how pages feel to the people who visit them: when the largest part showed, how long presses took, what jumped."
          dsn={dsn}
          isNarrowed={isNarrowed}
        />
      ) : (
        <VitalTiles overview={overview} changes={changes} chosen={detail?.chosen.name} />
      )}
      {!detail && choice.vital !== undefined && overview.length > 0 && (
        <p className="vital-few">No visit has told {vitalTitle(choice.vital)} here.</p>
      )}
      {detail ? (
        <VitalDetail
          org={org}
          project={project}
          choice={choice}
          detail={detail}
          routes={
            table && (
              <Section id="routes" title="Routes">
                {table}
              </Section>
            )
          }
        />
      ) : (
        table
      )}
    </div>
  )
}
