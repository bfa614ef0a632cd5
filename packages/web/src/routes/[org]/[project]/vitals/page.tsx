import '../../../../charts/charts.css'
import '../../../../parts/performance/performance.css'
import '../../../../parts/vitals/vitals.css'
import { VITAL_NAMES, VITAL_THRESHOLDS, type VitalName } from '@sonde/protocol/web-vitals'
import type { VitalChange, VitalOverviewRow } from '@sonde/queries'
import { Link, useLocation, usePageData, useParams, useSearchParams } from '@sonde/router'
import { formatExact } from '../../../../format/format-count.ts'
import type { AlertStart } from '../../../../parts/alerts/alert-start.ts'
import { NewAlertLink } from '../../../../parts/alerts/new-alert-link.tsx'
import { termFor } from '../../../../parts/explore/term-for.ts'
import { FilterBar } from '../../../../parts/filter-bar/filter-bar.tsx'
import { ExtrapolatedCount } from '../../../../parts/performance/extrapolated-count.tsx'
import { NothingMeasured } from '../../../../parts/performance/nothing-measured.tsx'
import { SplitBar } from '../../../../parts/split-bar.tsx'
import { ChangeText } from '../../../../parts/vitals/change-text.tsx'
import {
  fewText,
  RATING_WORDS,
  ratingOf,
  VITAL_WORDS,
  vitalText,
  vitalTitle,
} from '../../../../parts/vitals/vital-words.ts'
import { Icon } from '../../../../ui/icon.tsx'
import { Section } from '../../../../ui/section.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import type { load } from './page.server.ts'
import { withChoice } from './vital-choice.ts'
import { VitalDetail } from './vital-detail.tsx'
import { VitalReasons } from './vital-reasons.tsx'
import { VitalRouteTable } from './vital-route-table.tsx'

export const title = (): string => 'Web vitals · Sonde'

export default function Vitals() {
  const { choice, reasons, overview, changes, routes, isCut, choices, detail, dsn, isNarrowed, mayAlert } =
    usePageData<typeof load>()
  const { org, project } = useParams<'org' | 'project'>()
  const table = routes.length > 0 && <VitalRouteTable rows={routes} sort={choice.sort} isCut={isCut} />
  return (
    <div className="page page-wide">
      <h1 className="sr-only">Web vitals of {project}</h1>
      <FilterBar
        org={org}
        project={project}
        source="vitals"
        choices={choices}
        action={
          mayAlert &&
          overview.length > 0 && (
            <NewAlertLink
              org={org}
              project={project}
              start={alertOn(detail?.chosen.name ?? 'lcp', choice.route)}
            />
          )
        }
      />
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
      <VitalReasons org={org} project={project} reasons={reasons} />
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

/** Above what is still good. */
const alertOn = (name: VitalName, route: string | undefined): AlertStart => ({
  metric: `vitals|p75(${name})`,
  trigger: String(VITAL_THRESHOLDS[name][0]),
  ...(route !== undefined && { query: termFor('route', route) }),
})

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

type VitalTilesProps = {
  readonly overview: readonly VitalOverviewRow[]
  readonly changes: readonly VitalChange[]
  readonly chosen: VitalName | undefined
}

/** The vitals in one line; a click opens one, another click closes it. */
function VitalTiles({ overview, changes, chosen }: VitalTilesProps) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  return (
    <nav aria-label="Web vitals" className="vital-tiles">
      {VITAL_NAMES.map((name) => {
        const row = overview.find((each) => each.name === name)
        const words = VITAL_WORDS[name]
        return row ? (
          <Link
            key={name}
            className="vital-tile"
            to={pathname + withChoice(params, { vital: name === chosen ? null : name })}
            prefetch="none"
            preventScrollReset
            aria-current={name === chosen || undefined}
            title={`${words.long}: ${words.meaning}`}
          >
            <TileFigures row={row} change={changes.find((each) => each.name === name)} />
          </Link>
        ) : (
          <div key={name} className="vital-tile" title={`${words.long}: ${words.meaning}`}>
            <span className="vital-tile-name">{vitalTitle(name)}</span>
            <span className="muted">no data</span>
          </div>
        )
      })}
    </nav>
  )
}

function TileFigures({
  row,
  change,
}: {
  readonly row: VitalOverviewRow
  readonly change: VitalChange | undefined
}) {
  const { name, p75, count, samples, good, needsImprovement, poor } = row
  const rating = ratingOf(row)
  const split = `${formatExact(good)} good, ${formatExact(needsImprovement)} needs improvement, ${formatExact(poor)} poor`
  return (
    <>
      <span className="vital-tile-name">{vitalTitle(name)}</span>
      <span className={`vital-tile-value ${rating ? `vital-${rating}` : 'muted'}`}>
        <span className="num">{vitalText(name, p75)}</span>{' '}
        {rating && <span className="vital-rating">{RATING_WORDS[rating]}</span>}
      </span>
      <SplitBar
        label={split}
        parts={[
          { className: 'part-good', value: good },
          { className: 'part-fair', value: needsImprovement },
          { className: 'part-poor', value: poor },
        ]}
      />
      <span className="vital-tile-foot muted">
        {rating ? (
          <>
            <ExtrapolatedCount count={count} samples={samples} noun="page view" /> page views
          </>
        ) : (
          fewText(samples)
        )}
      </span>
      {change && <ChangeText {...change} />}
    </>
  )
}
