import type { FunctionTrend, SlowFunction } from '@sonde/queries'
import { Link, useLocation, useSearchParams } from '@sonde/router'
import { formatExact } from '../../../../format/format-count.ts'
import { formatDuration } from '../../../../format/format-time.ts'
import { termFor } from '../../../../parts/explore/term-for.ts'
import { ChangeText } from '../../../../parts/performance/change-cell.tsx'
import { withParams } from '../../../../parts/performance/transaction-search.ts'
import { paths } from '../../../../paths.ts'
import { Section } from '../../../../ui/section.tsx'
import { Sparkline } from '../../../../ui/sparkline.tsx'
import { UserText } from '../../../../ui/user-text.tsx'

export type ShownFunction = SlowFunction & FunctionTrend
type Props = {
  readonly org: string
  readonly project: string
  readonly rows: readonly ShownFunction[]
  readonly isBySlower: boolean
  readonly stepMs: number
  readonly mayAlert: boolean
}

/** The functions with the most self time, each with what it did over the time range and against the period before. */
export function FunctionTable(props: Props) {
  const { rows, stepMs, isBySlower } = props
  return (
    <Section id="functions" title="Slowest functions" note="of the application’s own code">
      {rows.length === 0 ? (
        <p className="muted">No function of the application’s own code was seen.</p>
      ) : (
        <div className="perf-scroll" role="region" aria-label="Table of slowest functions" tabIndex={0}>
          <table className="perf-table">
            <thead>
              <tr>
                <th scope="col">Function</th>
                <th scope="col" className="col-num" aria-sort={isBySlower ? undefined : 'descending'}>
                  <SortLink name="Self time" sort={undefined} isHere={!isBySlower} />
                </th>
                {['p75 a profile', 'Profiles', 'Releases'].map((name) => (
                  <th key={name} scope="col" className="col-num">
                    {name}
                  </th>
                ))}
                <th scope="col">Trend</th>
                <th
                  scope="col"
                  className="col-change"
                  aria-sort={isBySlower ? 'descending' : undefined}
                  title="75th percentile of a profile, against the previous period"
                >
                  <SortLink name="Change" sort="slower" isHere={isBySlower} />
                </th>
                {props.mayAlert && <th scope="col">Alert</th>}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={`${row.function} ${row.file}`}>
                  <th scope="row" className="perf-name">
                    <UserText text={row.function} />{' '}
                    <span className="muted">
                      <UserText text={row.file} />
                    </span>
                  </th>
                  <td className="num col-num">{formatDuration(row.sumMs)}</td>
                  <td className="num col-num">{formatDuration(row.p75)}</td>
                  <td className="num col-num">{formatExact(row.profiles)}</td>
                  <td className="num col-num">{formatExact(row.releases)}</td>
                  <td>
                    <Sparkline
                      counts={row.spark}
                      period="this time range"
                      step={formatDuration(stepMs)}
                      noun="profile"
                    />
                  </td>
                  <td className="col-change">
                    <ChangeText change={row.change} before={row.before} measure="p75" samples={row.samples} />
                  </td>
                  {props.mayAlert && (
                    <td>
                      <AlertLink {...props} row={row} />
                    </td>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Section>
  )
}

type HeadProps = { readonly name: string; readonly sort: string | undefined; readonly isHere: boolean }

/** A heading that sorts by its column; of the change those come first that became slower for certain. */
function SortLink({ name, sort, isHere }: HeadProps) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  return (
    <Link
      to={pathname + withParams(params, { functions: sort })}
      prefetch="none"
      aria-current={isHere || undefined}
      title={sort === undefined ? undefined : 'Sorted by confident regressions first'}
    >
      {name}
      {isHere && <span aria-hidden="true"> ↓</span>}
    </Link>
  )
}

function AlertLink({ org, project, row }: Pick<Props, 'org' | 'project'> & { readonly row: ShownFunction }) {
  const start = {
    metric: 'profile_functions|p75(function.self_time)',
    query: `${termFor('function', row.function)} ${termFor('file', row.file)}`,
  }
  return (
    <Link
      className="text-link"
      to={paths.newAlert(org, project, 'metric', start)}
      prefetch="none"
      aria-label={`Create alert on ${row.function}`}
    >
      Create
    </Link>
  )
}
