import { VITAL_NAMES, VITAL_THRESHOLDS, type VitalName } from '@sonde/protocol/web-vitals'
import type { RouteVitals } from '@sonde/queries'
import { Link, useLocation, useSearchParams } from '@sonde/router'
import { formatExact } from '../../../../format/format-count.ts'
import { ExtrapolatedCount } from '../../../../parts/performance/extrapolated-count.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import { VitalCell } from './vital-cell.tsx'
import { type VitalSort, withChoice } from './vital-choice.ts'
import { VITAL_WORDS, vitalText, vitalTitle } from '../../../../parts/vitals/vital-words.ts'

type Props = {
  readonly rows: readonly RouteVitals[]
  readonly sort: VitalSort
  /** There are more routes than rows. */
  readonly isCut: boolean
}

/** Each route by the visit that is worse than three of four; a press on a column sorts, on a route or a value opens it. */
export function VitalRouteTable({ rows, sort, isCut }: Props) {
  return (
    <>
      <p className="muted perf-lead">
        The 75th percentile of each route: three of four visits were at least as good. Under it the shares of
        visits that were good, need improvement, or were poor.
        {isCut && ` Only the ${formatExact(rows.length)} routes with the most visits.`}
      </p>
      <div className="perf-scroll" role="region" aria-label="Web vitals by route" tabIndex={0}>
        <table className="perf-table">
          <thead>
            <tr>
              <th scope="col">Route</th>
              <SortedHead id="count" name="Visits" sort={sort} isNumber />
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
        <ExtrapolatedCount count={count} samples={samples} noun="visit" />
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
  return `${long}: ${meaning}. Good up to ${vitalText(name, goodUpTo)}, poor above ${vitalText(name, poorAbove)}.`
}
