import type { InsightChange, InsightRow } from '@sonde/queries'
import {
  INSIGHT_KINDS,
  INSIGHT_MEASURES,
  type InsightKind,
  type InsightKindId,
} from '@sonde/queries/contract'
import { Link, useLocation, useSearchParams } from '@sonde/router'
import { countOf } from '../../../../../format/format-count.ts'
import { formatDuration } from '../../../../../format/format-time.ts'
import {
  insightSortedBy,
  type InsightSort,
  readInsightSearch,
} from '../../../../../parts/insights/insight-search.ts'
import { InsightValue } from '../../../../../parts/insights/insight-value.tsx'
import { ChangeText } from '../../../../../parts/performance/change-cell.tsx'
import { ExtrapolatedCount } from '../../../../../parts/performance/extrapolated-count.tsx'
import { withParams } from '../../../../../parts/performance/transaction-search.ts'
import { usePaths } from '../../../../../shell/use-paths.ts'
import { Sparkline } from '../../../../../ui/sparkline.tsx'
import { UserText } from '../../../../../ui/user-text.tsx'

export type ShownInsight = InsightRow & {
  readonly spark: readonly number[]
  readonly changed?: InsightChange | undefined
  /** Unresolved ones that detectors found in it. */
  readonly issues: number
}
export type ShownWindow = { readonly fromMs: number; readonly toMs: number; readonly stepMs: number }
type Props = {
  readonly org: string
  readonly project: string
  readonly kind: InsightKindId
  readonly rows: readonly ShownInsight[]
  readonly window: ShownWindow
}

/** The columns are the kind's measures; a click on a heading sorts by it, another one reverses the order. */
export function InsightTable({ org, project, kind, rows, window }: Props) {
  const { name, row: rowName, noun, measures }: InsightKind = INSIGHT_KINDS[kind]
  return (
    <div className="perf-scroll" role="region" aria-label={name} tabIndex={0}>
      <table className="perf-table insight-table">
        <thead>
          <tr>
            <Heading kind={kind} id="name" name={rowName} />
            <th scope="col" className="col-num" title="Extrapolated from sampled data">
              Count
            </th>
            {measures.map((measure) => (
              <Heading
                key={measure}
                kind={kind}
                id={measure}
                name={INSIGHT_MEASURES[measure].name}
                about={INSIGHT_MEASURES[measure].about}
                isNumber
              />
            ))}
            <th scope="col">Trend</th>
            <th scope="col" className="col-change" title="p75 against the period before">
              Change of p75
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.name}>
              <th scope="row" className="perf-name">
                <RowName org={org} project={project} kind={kind} row={row} />
              </th>
              <td className="col-num">
                <ExtrapolatedCount count={row.count} samples={row.samples} noun={noun[0]} />
              </td>
              {measures.map((measure) => (
                <td key={measure} className="col-num">
                  <InsightValue measure={measure} value={row[measure]} />
                  {measure === 'timeShare' && (
                    <span className="insight-facts">{formatDuration(row.totalMs)}</span>
                  )}
                </td>
              ))}
              <td>
                <Sparkline
                  counts={row.spark}
                  period="this time range"
                  step={formatDuration(window.stepMs)}
                  noun="span"
                />
              </td>
              <td className="col-change">
                <ChangeText
                  change={row.changed?.changes.p75?.change}
                  before={row.changed?.changes.p75?.before}
                  measure="p75"
                  samples={row.changed?.samples ?? [row.samples, 0]}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

type RowNameProps = Omit<Props, 'rows' | 'window'> & { readonly row: ShownInsight }

/** What a row is, leading to its page, and what is known of it. */
function RowName({ org, project, kind, row }: RowNameProps) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  const kept = usePaths()
  const { peer: peerName, hasFiles }: InsightKind = INSIGHT_KINDS[kind]
  const { route, peer } = readInsightSearch(params, kind)
  const to = kept.insight(org, project, kind, { name: row.name, route: route || undefined, peer })
  return (
    <>
      <Link className={kind === 'queries' ? 'insight-name insight-statement' : 'insight-name'} to={to}>
        <InsightName name={row.name} />
      </Link>
      <span className="insight-facts">
        {peerName !== undefined && row.peer !== '' && (
          <Link
            to={pathname + withParams(params, { peer: row.peer })}
            prefetch="none"
            aria-label={`Only ${row.peer}`}
          >
            <UserText text={row.peer} />
          </Link>
        )}
        {hasFiles && <span>{row.type}</span>}
        {hasFiles && row.owner === 'third-party' && <span>third party</span>}
        <span>{countOf(row.routes, 'route')}</span>
        {row.issues > 0 && <span className="perf-bad">{countOf(row.issues, 'issue')}</span>}
      </span>
    </>
  )
}

/** Spans that say nothing are a row too. */
export function InsightName({ name }: { readonly name: string }) {
  return name === '' ? <span className="muted">(unknown)</span> : <UserText text={name} />
}

type HeadingProps = {
  readonly kind: InsightKindId
  readonly id: InsightSort
  readonly name: string
  readonly about?: string
  readonly isNumber?: boolean
}

function Heading({ kind, id, name, about, isNumber = false }: HeadingProps) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  const { sort, order } = readInsightSearch(params, kind)
  const isHere = id === sort
  return (
    <th
      scope="col"
      className={isNumber ? 'col-num' : undefined}
      title={about}
      aria-sort={isHere ? (order === 'asc' ? 'ascending' : 'descending') : undefined}
    >
      <Link
        to={pathname + insightSortedBy(params, kind, id)}
        prefetch="none"
        aria-current={isHere || undefined}
      >
        {name}
        {isHere && <span aria-hidden="true"> {order === 'asc' ? '↑' : '↓'}</span>}
      </Link>
    </th>
  )
}
