import type { Change } from '@sonde/queries'
import { Link, useLocation, useSearchParams } from '@sonde/router'
import { formatExact, formatRate, formatShare } from '../../../../format/format-count.ts'
import { formatDuration } from '../../../../format/format-time.ts'
import { ChangeText } from '../../../../parts/performance/change-cell.tsx'
import { AtLeastCount, ExtrapolatedCount } from '../../../../parts/performance/extrapolated-count.tsx'
import {
  type ListSort,
  MEASURES,
  readTransactionSearch,
  sortedBy,
  withParams,
} from '../../../../parts/performance/transaction-search.ts'
import { usePaths } from '../../../../shell/use-paths.ts'
import { UserText } from '../../../../ui/user-text.tsx'

export type ShownTransaction = {
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
  readonly change?: Change | undefined
  readonly before?: number | undefined
  readonly samplesBefore?: number | undefined
}
type Props = {
  readonly org: string
  readonly project: string
  readonly rows: readonly ShownTransaction[]
}

const COLUMNS: readonly { readonly id: ListSort; readonly name: string; readonly about: string }[] = [
  { id: 'count', name: 'Count', about: 'Extrapolated from sampled data' },
  { id: 'perMinute', name: 'Per minute', about: 'Average over the selected period' },
  { id: 'p50', name: 'p50', about: 'Median' },
  { id: 'p75', name: 'p75', about: '75th percentile' },
  { id: 'p95', name: 'p95', about: '95th percentile' },
  { id: 'failureRate', name: 'Failure rate', about: 'Share with an error status' },
  { id: 'users', name: 'Users', about: 'Unique users' },
  { id: 'miserableUsers', name: 'Misery', about: 'User misery: users who hit > 1.2 s at least once' },
]

/** Routes and transactions; a click on a column heading sorts by it, another one reverses the order. */
export function TransactionTable({ org, project, rows }: Props) {
  const [params] = useSearchParams()
  const kept = usePaths()
  const { measure } = readTransactionSearch(params)
  return (
    <div className="perf-scroll" role="region" aria-label="Transactions" tabIndex={0}>
      <table className="perf-table transaction-table">
        <thead>
          <tr>
            <Heading id="name" name="Transaction" />
            {COLUMNS.map((column) => (
              <Heading key={column.id} {...column} isNumber />
            ))}
            <ChangeHeading />
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.op} ${row.name}`}>
              <th scope="row" className="perf-name">
                <span className="perf-op">{row.op}</span>{' '}
                <Link to={kept.transaction(org, project, row)}>
                  <UserText text={row.name} />
                </Link>
              </th>
              <td className="col-num">
                <ExtrapolatedCount count={row.count} samples={row.samples} noun="transaction" />
              </td>
              <td className="col-num num">{formatRate(row.perMinute)}</td>
              {[row.p50, row.p75, row.p95].map((ms, index) => (
                <td key={index} className="col-num num">
                  {formatDuration(ms)}
                </td>
              ))}
              <td className={`col-num num ${row.failureRate > 0 ? 'perf-bad' : 'muted'}`}>
                {formatShare(row.failureRate, 1)}
              </td>
              <td className="col-num">
                <AtLeastCount value={row.users} of={row} noun="user" />
              </td>
              <td className="col-num">
                <span title={`${formatExact(row.miserableUsers)} of ${formatExact(row.users)} users`}>
                  <AtLeastCount value={row.miserableUsers} of={row} noun="user" />
                </span>
              </td>
              <td className="col-change">
                <ChangeText
                  change={row.change}
                  measure={measure}
                  before={row.before}
                  samples={[row.samples, row.samplesBefore ?? 0]}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

type HeadingProps = {
  readonly id: ListSort
  readonly name: string
  readonly about?: string
  readonly isNumber?: boolean
}

function Heading({ id, name, about, isNumber = false }: HeadingProps) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  const { sort, order } = readTransactionSearch(params)
  const isHere = id === sort
  return (
    <th
      scope="col"
      className={isNumber ? 'col-num' : undefined}
      title={about}
      aria-sort={isHere ? (order === 'asc' ? 'ascending' : 'descending') : undefined}
    >
      <Link to={pathname + sortedBy(params, id)} prefetch="none" aria-current={isHere || undefined}>
        {name}
        {isHere && <span aria-hidden="true"> {order === 'asc' ? '↑' : '↓'}</span>}
      </Link>
    </th>
  )
}

/** The change column with a choice of its measure. */
function ChangeHeading() {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  const { sort, order, measure } = readTransactionSearch(params)
  const isHere = sort === 'change'
  return (
    <th
      scope="col"
      className="col-change"
      aria-sort={isHere ? (order === 'asc' ? 'ascending' : 'descending') : undefined}
    >
      <Link
        to={pathname + sortedBy(params, 'change')}
        prefetch="none"
        aria-current={isHere || undefined}
        title="Sorted by confident regressions first"
      >
        Change
        {isHere && <span aria-hidden="true"> {order === 'asc' ? '↑' : '↓'}</span>}
      </Link>{' '}
      <span className="change-measures">
        of
        {MEASURES.map(({ id, name }) => (
          <Link
            key={id}
            to={pathname + withParams(params, { compare: id === 'p75' ? undefined : id })}
            prefetch="none"
            aria-current={id === measure || undefined}
            aria-label={`Compare ${name}`}
          >
            {name}
          </Link>
        ))}
      </span>
    </th>
  )
}
