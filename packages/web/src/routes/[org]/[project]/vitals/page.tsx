import '../../../../charts/charts.css'
import '../../../../parts/performance/performance.css'
import '../../../../parts/vitals/vitals.css'
import { Link, useLocation, usePageData, useParams, useSearchParams } from '@sonde/router'
import { FilterBar } from '../../../../parts/filter-bar/filter-bar.tsx'
import { NothingMeasured } from '../../../../parts/performance/nothing-measured.tsx'
import { vitalTitle } from '../../../../parts/vitals/vital-words.ts'
import { Icon } from '../../../../ui/icon.tsx'
import { Section } from '../../../../ui/section.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import type { load } from './page.server.ts'
import { withChoice } from './vital-choice.ts'
import { VitalDetail } from './vital-detail.tsx'
import { VitalRouteTable } from './vital-route-table.tsx'
import { VitalTiles } from './vital-tiles.tsx'

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
      {choice.route !== undefined && <SelectedRoute route={choice.route} />}
      {overview.length === 0 ? (
        <NothingMeasured
          title="No web vitals yet"
          what="Web vitals measure how users experience your pages: loading, responsiveness and visual stability."
          dsn={dsn}
          isNarrowed={isNarrowed}
        />
      ) : (
        <VitalTiles overview={overview} changes={changes} chosen={detail?.chosen.name} />
      )}
      {!detail && choice.vital !== undefined && overview.length > 0 && (
        <p className="vital-few">No {vitalTitle(choice.vital)} data for this selection.</p>
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

/** The selected route as a filter that can be removed. */
function SelectedRoute({ route }: { readonly route: string }) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  return (
    <p className="vital-route">
      <Link
        className="filter-chip"
        to={pathname + withChoice(params, { route: null })}
        prefetch="none"
        aria-label={`Remove filter route ${route}`}
      >
        <span className="muted">Route</span> <UserText text={route} />
        <Icon name="close" />
      </Link>
    </p>
  )
}
