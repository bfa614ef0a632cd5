import type { MetricList } from '@sonde/queries'
import { Link, useLocation, useSearchParams } from '@sonde/router'
import { formatExact } from '../../../../format/format-count.ts'
import { ExactTime } from '../../../../ui/time.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import { withMetric } from './metric-search.ts'

/** Names, with how much there is of each in the time range; a name leads to its chart. */
export function MetricTable({ metrics, hasMore }: MetricList) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  return (
    <>
      <div className="perf-scroll" role="region" aria-label="Metrics" tabIndex={0}>
        <table className="perf-table">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Type</th>
              <th scope="col">Unit</th>
              <th scope="col" className="col-num">
                Points
              </th>
              <th scope="col" className="col-num">
                Series
              </th>
              <th scope="col">Last seen</th>
            </tr>
          </thead>
          <tbody>
            {metrics.map(({ name, type, unit, points, series, lastSeenMs }) => (
              <tr key={JSON.stringify([name, type, unit])}>
                <td className="perf-name">
                  <Link
                    to={pathname + withMetric(params, { metric: name, type, unit, query: undefined })}
                    prefetch="none"
                  >
                    <UserText text={name} />
                  </Link>
                </td>
                <td>{type}</td>
                <td>
                  <bdi>{unit}</bdi>
                </td>
                <td className="num col-num">{formatExact(points)}</td>
                <td className="num col-num">{series === 0 ? '–' : formatExact(series)}</td>
                <td>
                  <ExactTime atMs={lastSeenMs} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {hasMore && (
        <p className="muted">
          The first {formatExact(metrics.length)} by name. Search for a word of the name to see others.
        </p>
      )}
    </>
  )
}
