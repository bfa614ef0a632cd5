import { VITAL_NAMES, VITAL_THRESHOLDS, type VitalName } from '@sonde/protocol/web-vitals'
import type { RouteVitals, VitalSummary } from '@sonde/queries'
import { Link, useLocation, useSearchParams } from '@sonde/router'
import { formatExact } from '../../../../format/format-count.ts'
import { ExtrapolatedCount } from '../../../../parts/performance/extrapolated-count.tsx'
import { SplitBar } from '../../../../parts/split-bar.tsx'
import {
  fewText,
  RATING_WORDS,
  ratingOf,
  VITAL_WORDS,
  vitalText,
  vitalTitle,
} from '../../../../parts/vitals/vital-words.ts'
import { UserText } from '../../../../ui/user-text.tsx'
import { type VitalSort, withChoice } from './vital-choice.ts'

type Props = {
  readonly rows: readonly RouteVitals[]
  readonly sort: VitalSort
  /** There are more routes than rows. */
  readonly isCut: boolean
}

/** The 75th percentile of each route; a click on a column sorts, on a route or a value opens it. */
export function VitalRouteTable({ rows, sort, isCut }: Props) {
  return (
    <>
      <p className="muted perf-lead">
        p75 per route, with the share of good, needs-improvement and poor page views.
        {isCut && ` Showing the ${formatExact(rows.length)} routes with the most page views.`}
      </p>
      <div className="perf-scroll" role="region" aria-label="Web vitals by route" tabIndex={0}>
        <table className="perf-table">
          <thead>
            <tr>
              <th scope="col">Route</th>
              <SortedHead id="count" name="Page views" sort={sort} isNumber />
              {VITAL_NAMES.map((name) => (
                <SortedHead
                  key={name}
                  id={name}
                  name={vitalTitle(name)}
                  sort={sort}
                  about={meaningOf(name)}
                />
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <RouteRow key={row.route} row={row} />
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

type HeadProps = {
  readonly id: VitalSort
  readonly name: string
  readonly sort: VitalSort
  readonly about?: string
  readonly isNumber?: boolean
}

function SortedHead({ id, name, sort, about, isNumber }: HeadProps) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  return (
    <th
      scope="col"
      className={isNumber ? 'col-num' : undefined}
      title={about}
      aria-sort={id === sort ? 'descending' : undefined}
    >
      <Link
        to={pathname + withChoice(params, { sort: id })}
        prefetch="none"
        preventScrollReset
        aria-current={id === sort || undefined}
      >
        {name}
        {id === sort && <span aria-hidden="true"> ↓</span>}
      </Link>
    </th>
  )
}

function RouteRow({ row }: { readonly row: RouteVitals }) {
  const { route, count, samples } = row
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  const to = (vital?: VitalName): string =>
    pathname + withChoice(params, { route, ...(vital !== undefined && { vital }) })
  return (
    <tr>
      <th scope="row" className="perf-name">
        <Link to={to()} prefetch="none">
          <UserText text={route} />
        </Link>
      </th>
      <td className="col-num">
        <ExtrapolatedCount count={count} samples={samples} noun="page view" />
      </td>
      {VITAL_NAMES.map((name) => (
        <VitalCell key={name} name={name} vital={row[name]} to={to(name)} />
      ))}
    </tr>
  )
}

function meaningOf(name: VitalName): string {
  const { long, meaning } = VITAL_WORDS[name]
  const [goodUpTo, poorAbove] = VITAL_THRESHOLDS[name]
  return `${long}: ${meaning}. Good ≤ ${vitalText(name, goodUpTo)}, poor > ${vitalText(name, poorAbove)}.`
}

type VitalCellProps = {
  readonly name: VitalName
  readonly vital: VitalSummary | undefined
  /** The details of the vital. */
  readonly to: string
}

function VitalCell({ name, vital, to }: VitalCellProps) {
  if (!vital) {
    return (
      <td className="vital muted" title="No data">
        –
      </td>
    )
  }
  const { p75, samples, good, needsImprovement, poor } = vital
  const rating = ratingOf(vital)
  const split = `${formatExact(good)} good, ${formatExact(needsImprovement)} needs improvement, ${formatExact(poor)} poor`
  return (
    <td className={`vital ${rating ? `vital-${rating}` : 'muted'}`}>
      <Link to={to} prefetch="none" className="num vital-value">
        {vitalText(name, p75)}
      </Link>{' '}
      <span className="vital-rating" title={rating ? undefined : fewText(samples)}>
        {rating ? RATING_WORDS[rating] : 'low n'}
      </span>
      <SplitBar
        label={split}
        parts={[
          { className: 'part-good', value: good },
          { className: 'part-fair', value: needsImprovement },
          { className: 'part-poor', value: poor },
        ]}
      />
    </td>
  )
}
