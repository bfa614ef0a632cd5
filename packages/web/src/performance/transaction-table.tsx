import { Link, useLocation, useSearchParams } from '@sonde/router'
import { formatShare } from '../format/format-count.ts'
import { formatDuration } from '../format/format-duration.ts'
import { Count } from '../ui/count.tsx'
import { UserText } from '../ui/user-text.tsx'
import { ExtrapolatedCount } from './extrapolated-count.tsx'

type Row = {
  readonly op: string
  readonly name: string
  readonly count: number
  readonly samples: number
  readonly perMinute: number
  readonly p50: number
  readonly p75: number
  readonly p95: number
  readonly failureRate: number
  readonly users: number
  readonly miserableUsers: number
}

const COLUMNS = [
  { id: 'count', name: 'Count', about: 'Counted up from what was sampled' },
  { id: undefined, name: 'Per minute', about: 'On average over the whole time' },
  { id: 'p50', name: 'p50', about: 'Half of them were at least as fast' },
  { id: 'p75', name: 'p75', about: 'Three of four were at least as fast' },
  { id: 'p95', name: 'p95', about: '19 of 20 were at least as fast' },
  { id: 'failureRate', name: 'Failed', about: 'Ended in failure, by status' },
  { id: 'users', name: 'Users', about: 'Different people' },
  { id: 'miserableUsers', name: 'Misery', about: 'People who waited more than 1.2 s at least once' },
] as const

/** Routes and transactions; a press on a column's name sorts by it. */
export function TransactionTable({ rows, sort }: { readonly rows: readonly Row[]; readonly sort: string }) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  const sortedBy = (id: string): string => {
    const next = new URLSearchParams(params)
    next.set('sort', id)
    return `${pathname}?${next}`
  }
  return (
    <div className="perf-scroll" role="region" aria-label="Transactions" tabIndex={0}>
      <table className="perf-table">
        <thead>
          <tr>
            <th scope="col">Transaction</th>
            {COLUMNS.map(({ id, name, about }) => (
              <th
                key={name}
                scope="col"
                className="col-num"
                title={about}
                aria-sort={id === sort ? 'descending' : undefined}
              >
                {id === undefined ? (
                  name
                ) : (
                  <Link to={sortedBy(id)} prefetch="none" aria-current={id === sort || undefined}>
                    {name}
                    {id === sort && <span aria-hidden="true"> ↓</span>}
                  </Link>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.op} ${row.name}`}>
              <th scope="row" className="perf-name">
                <span className="perf-op">{row.op}</span> <UserText text={row.name} />
              </th>
              <td className="col-num">
                <ExtrapolatedCount count={row.count} samples={row.samples} noun="time" />
              </td>
              <td className="col-num num">{rate(row.perMinute)}</td>
              {[row.p50, row.p75, row.p95].map((ms, index) => (
                <td key={index} className="col-num num">
                  {formatDuration(ms)}
                </td>
              ))}
              <td className={`col-num num ${row.failureRate > 0 ? 'perf-bad' : 'muted'}`}>
                {formatShare(row.failureRate, 1)}
              </td>
              <td className="col-num">
                <Count value={row.users} noun="user" />
              </td>
              <td className="col-num">
                <Count value={row.miserableUsers} noun="user" />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const rate = (perMinute: number): string =>
  perMinute >= 10 ? String(Math.round(perMinute)) : perMinute >= 0.01 ? perMinute.toFixed(2) : '<0.01'
