import type { ExploreColumn, ExploreSeries, ExploreTable, ExploreValue, ValueKind } from '@sonde/queries'
import { Link, useLocation, useSearchParams } from '@sonde/router'
import { formatExact, formatRate, formatRateShare } from '../../format/format-count.ts'
import { formatDuration } from '../../format/format-time.ts'
import { Count } from '../../ui/count.tsx'
import { ExactTime } from '../../ui/time.tsx'
import { UserText } from '../../ui/user-text.tsx'
import { type ExploreSearch, sortOf, withExplore } from './explore-search.ts'
import { termFor } from './term-for.ts'

type GroupTrendProps = {
  readonly values: readonly (number | null)[]
  /** The largest value of all groups: they share one scale. */
  readonly peak: number
  readonly label: string
  readonly format: (value: number) => string
}

const BAR = 3
const GAP = 1
const HEIGHT = 24

/** One group over time, on the scale of the groups beside it. */
function GroupTrend({ values, peak, label, format }: GroupTrendProps) {
  const own = values.filter((value) => value !== null)
  const text = own.length === 0 ? 'No data' : `${label}: peak ${format(Math.max(...own))}`
  return (
    <svg
      className="explore-trend"
      viewBox={`0 0 ${values.length * (BAR + GAP)} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={text}
    >
      <title>{text}</title>
      {values.map((value, index) => {
        if (value === null || peak <= 0) return null
        const size = Math.max(1, (value / peak) * HEIGHT)
        return <rect key={index} x={index * (BAR + GAP)} y={HEIGHT - size} width={BAR} height={size} />
      })}
    </svg>
  )
}

type Props = {
  readonly org: string
  readonly project: string | undefined
  readonly table: ExploreTable
  readonly series: ExploreSeries
  readonly search: ExploreSearch
}

/** Groups with what is computed of them; a press on a column's name sorts, on a group's shows its spans. */
export function GroupTable({ table, series, search }: Props) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  const groups = search.groupBy.length
  const sort = sortOf(search)
  const measure = table.columns.find(({ field }) => field === sort.field && isMeasureColumn(field))
  const shown = measure?.field ?? search.measures[0] ?? ''
  const peak = Math.max(0, ...series.groups.flat().map((value) => value ?? 0))
  return (
    <div className="perf-scroll" role="region" aria-label="Aggregates" tabIndex={0}>
      <table className="perf-table explore-table">
        <thead>
          <tr>
            {table.columns.map((column) => (
              <SortHead key={column.field} column={column} sort={sort} />
            ))}
            {groups > 0 && series.groups.length > 0 && <th scope="col">{shown} over time</th>}
            <th scope="col">
              <span className="sr-only">Spans</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, index) => {
            const spans =
              pathname + withExplore(params, { ...narrowed(search, row), view: 'spans', sort: undefined })
            return (
              <tr key={JSON.stringify(row.slice(0, groups)) + index}>
                {row.map((value, at) => (
                  <Cell key={at} column={table.columns[at]} value={value} />
                ))}
                {groups > 0 && series.groups.length > 0 && (
                  <td>
                    {series.groups[index] && (
                      <GroupTrend
                        values={series.groups[index]}
                        peak={peak}
                        label={shown}
                        format={(value) => valueText(series.kind, value)}
                      />
                    )}
                  </td>
                )}
                <td>
                  <Link
                    to={spans}
                    prefetch="none"
                    aria-label={`Spans of ${row.slice(0, groups).map(String).join(', ') || 'everything'}`}
                  >
                    Spans
                  </Link>
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

const isMeasureColumn = (field: string): boolean => field.endsWith(')')

function narrowed(search: ExploreSearch, row: readonly ExploreValue[]): { readonly query: string } {
  const terms = search.groupBy.map((field, index) => termFor(field, row[index] ?? null))
  return { query: [search.query, ...terms].filter((term) => term !== '').join(' ') }
}

function Cell({
  column,
  value,
}: {
  readonly column: ExploreColumn | undefined
  readonly value: ExploreValue
}) {
  const kind = column?.kind ?? 'string'
  return (
    <td className={isNumeric(kind) ? 'col-num' : 'perf-name'}>
      <ExploreCell kind={kind} value={value} />
    </td>
  )
}

/** Numbers begin with the largest, names with the first; a second press turns it around. */
function SortHead({
  column,
  sort,
}: {
  readonly column: ExploreColumn
  readonly sort: { readonly field: string; readonly isDescending: boolean }
}) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  const isHere = column.field === sort.field
  const isDescending = isHere ? !sort.isDescending : isNumeric(column.kind)
  const to = pathname + withExplore(params, { sort: `${isDescending ? '-' : ''}${column.field}` })
  return (
    <th
      scope="col"
      className={isNumeric(column.kind) ? 'col-num' : undefined}
      aria-sort={isHere ? (sort.isDescending ? 'descending' : 'ascending') : undefined}
    >
      <Link to={to} prefetch="none" aria-current={isHere || undefined}>
        <bdi>{column.field}</bdi>
        {isHere && <span aria-hidden="true"> {sort.isDescending ? '↓' : '↑'}</span>}
      </Link>
    </th>
  )
}

export const isNumeric = (kind: ValueKind): boolean =>
  ['integer', 'number', 'duration', 'percentage', 'rate'].includes(kind)

/** A value by what it is, short, with the exact one in the title. */
export function ExploreCell({ kind, value }: { readonly kind: ValueKind; readonly value: ExploreValue }) {
  if (value === null || value === '') return <span className="explore-none">(empty)</span>
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'string') return <UserText text={value} />
  if (kind === 'date') return <ExactTime atMs={value} />
  if (kind === 'integer') return <Count value={value} noun="span" />
  return (
    <span className="num" title={String(value)}>
      {valueText(kind, value)}
    </span>
  )
}

export function valueText(kind: ValueKind, value: number): string {
  if (kind === 'duration') return formatDuration(value)
  if (kind === 'percentage') return formatRateShare(value)
  if (kind === 'rate') return formatRate(value)
  if (kind === 'integer') return formatExact(value)
  return Math.abs(value) >= 1000 ? formatExact(value) : String(Number(value.toPrecision(4)))
}
