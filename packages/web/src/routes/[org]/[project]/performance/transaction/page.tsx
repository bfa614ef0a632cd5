import '../../../../../charts/charts.css'
import '../../../../../parts/performance/performance.css'
import '../../../../../parts/performance/transactions.css'
import type {
  Compared,
  FilterValue,
  TransactionChange,
  TransactionIssue,
  TransactionSample,
  TransactionSplit,
  TransactionTime as Time,
} from '@sonde/queries'
import { type DataOf, Link, usePageData, useParams } from '@sonde/router'
import type { ReactNode } from 'react'
import { countOf, formatExact, formatRate, formatRateShare } from '../../../../../format/format-count.ts'
import { formatDuration } from '../../../../../format/format-time.ts'
import type { AlertStart } from '../../../../../parts/alerts/alert-start.ts'
import { NewAlertLink } from '../../../../../parts/alerts/new-alert-link.tsx'
import { termFor } from '../../../../../parts/explore/term-for.ts'
import { FilterBar } from '../../../../../parts/filter-bar/filter-bar.tsx'
import type { FilterId } from '../../../../../parts/filter-bar/filter-state.ts'
import { ChangeText } from '../../../../../parts/performance/change-cell.tsx'
import { AtLeastCount, ExtrapolatedCount } from '../../../../../parts/performance/extrapolated-count.tsx'
import { type ShownSeries, TransactionCharts } from '../../../../../parts/performance/transaction-charts.tsx'
import { usePaths } from '../../../../../shell/use-paths.ts'
import { EmptyState, Section } from '../../../../../ui/section.tsx'
import { UserText } from '../../../../../ui/user-text.tsx'
import type { ShownTransaction } from '../transaction-table.tsx'
import type { load } from './page.server.ts'
import { SlowestTraces, TransactionIssues } from './traces-and-issues.tsx'
import { TransactionBreakdown, TransactionTime } from './transaction-breakdown.tsx'

export const title = ({ name }: DataOf<typeof load>): string => `${name} · Performance · Sonde`

export default function Transaction() {
  const data = usePageData<typeof load>()
  return <TransactionScreen {...useParams<'org' | 'project'>()} {...data} />
}

type Props = {
  readonly org: string
  readonly project: string
  readonly op: string
  readonly name: string
  /** Undefined: no data in this time range. */
  readonly row: ShownTransaction | undefined
  /** Undefined without a time range: there is no previous period. */
  readonly compared: TransactionChange | undefined
  readonly series: ShownSeries
  readonly time: Time
  readonly traces: readonly TransactionSample[]
  readonly issues: readonly TransactionIssue[]
  readonly splits: readonly TransactionSplit[]
  readonly mayAlert: boolean
  readonly choices?: { readonly id: FilterId; readonly values: readonly FilterValue[] } | undefined
}

/** One transaction: figures, changes over time, time breakdown, segments, slowest traces and errors. */
function TransactionScreen({ org, project, op, name, ...data }: Props) {
  const kept = usePaths()
  const { row, compared, series, time, traces, issues, splits, choices, mayAlert } = data
  return (
    <div className="page page-wide">
      <p className="transaction-trail">
        <Link to={kept.performance(org, project)}>All transactions</Link>
      </p>
      <h1 className="transaction-title">
        <span className="perf-op">{op}</span> <UserText text={name} />
      </h1>
      <FilterBar
        org={org}
        project={project}
        source="transactions"
        choices={choices}
        action={mayAlert && <NewAlertLink org={org} project={project} start={alertOn({ op, name })} />}
      />
      {row === undefined ? (
        <EmptyState title="No data in this time range">
          <p>Try a longer time range or fewer filters. The route may have been renamed.</p>
        </EmptyState>
      ) : (
        <>
          <TransactionFigures row={row} compared={compared} />
          <TransactionCharts series={series} />
          <Section
            id="time"
            title="Time breakdown"
            note={
              time.transactions < row.samples
                ? `latest ${countOf(time.transactions, 'transaction')}`
                : undefined
            }
          >
            <TransactionTime time={time} />
          </Section>
          <Section id="whom" title="By segment">
            <TransactionBreakdown splits={splits} />
          </Section>
          <Section id="slowest" title="Slowest traces">
            <SlowestTraces org={org} traces={traces} />
          </Section>
          <Section id="errors" title="Errors">
            <TransactionIssues org={org} project={project} name={name} issues={issues} />
          </Section>
        </>
      )}
    </div>
  )
}

/** Slower than a second: what people notice. */
const alertOn = ({ op, name }: Pick<Props, 'op' | 'name'>): AlertStart => ({
  metric: 'spans|',
  spanMeasure: 'p95(span.duration)',
  query: `is_transaction:true ${op === '' ? '' : `${termFor('op', op)} `}${termFor('transaction', name)}`,
  trigger: '1000',
})

type TransactionFiguresProps = {
  readonly row: ShownTransaction
  /** Undefined when there is nothing to compare with. */
  readonly compared: TransactionChange | undefined
}

/** The measures of the transaction, each with its change. */
function TransactionFigures({ row, compared }: TransactionFiguresProps) {
  const measured = (name: string, measure: Compared, text: string, about: string) => (
    <Figure name={name} about={about}>
      <strong className="num">{text}</strong>
      {compared && (
        <ChangeText
          change={compared.changes[measure]?.change}
          before={compared.changes[measure]?.before}
          measure={measure}
          samples={compared.samples}
        />
      )}
    </Figure>
  )
  return (
    <dl className="transaction-figures">
      <Figure name="Count" about="Extrapolated from sampled data">
        <strong>
          <ExtrapolatedCount count={row.count} samples={row.samples} noun="transaction" />
        </strong>
        <span className="muted">{formatRate(row.perMinute)} per minute</span>
      </Figure>
      {measured('p50', 'p50', formatDuration(row.p50), 'Median')}
      {measured('p75', 'p75', formatDuration(row.p75), '75th percentile')}
      {measured('p95', 'p95', formatDuration(row.p95), '95th percentile')}
      {measured(
        'Failure rate',
        'failureRate',
        formatRateShare(row.failureRate),
        'Share with an error status',
      )}
      <Figure name="Misery" about="User misery: users who hit > 1.2 s at least once">
        <strong>
          <AtLeastCount value={row.miserableUsers} of={row} noun="user" />
        </strong>
        <span className="muted">of {formatExact(row.users)} users</span>
      </Figure>
    </dl>
  )
}

type FigureProps = { readonly name: string; readonly about: string; readonly children: ReactNode }

function Figure({ name, about, children }: FigureProps) {
  return (
    <div title={about}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
