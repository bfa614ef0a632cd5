import { Link } from '@sonde/router'
import type {
  FilterValue,
  TransactionChange,
  TransactionIssue,
  TransactionSample,
  TransactionSplit,
  TransactionTime as Time,
} from '@sonde/queries'
import { usePaths } from '../../../../../shell/use-paths.ts'
import { EmptyState } from '../../../../../ui/empty-state.tsx'
import { Section } from '../../../../../ui/section.tsx'
import { UserText } from '../../../../../ui/user-text.tsx'
import { FilterBar } from '../../../../../parts/filter-bar/filter-bar.tsx'
import type { FilterId } from '../../../../../parts/filter-bar/filter-state.ts'
import { SlowestTraces } from './slowest-traces.tsx'
import { TransactionBreakdown } from './transaction-breakdown.tsx'
import { type ShownSeries, TransactionCharts } from '../transaction-charts.tsx'
import { TransactionFigures } from './transaction-figures.tsx'
import { TransactionIssues } from './transaction-issues.tsx'
import type { ShownTransaction } from '../transaction-table.tsx'
import { TransactionTime } from './transaction-time.tsx'

type Props = {
  readonly org: string
  readonly project: string
  readonly op: string
  readonly name: string
  /** Undefined: nothing in this time. */
  readonly row: ShownTransaction | undefined
  /** Undefined when no time is chosen, and so nothing lies before it. */
  readonly compared: TransactionChange | undefined
  readonly series: ShownSeries
  readonly time: Time
  readonly traces: readonly TransactionSample[]
  readonly issues: readonly TransactionIssue[]
  readonly splits: readonly TransactionSplit[]
  readonly choices?: { readonly id: FilterId; readonly values: readonly FilterValue[] } | undefined
}

/** One route: is it slow, since when, for what reason, and what to open. */
export function TransactionScreen({ org, project, op, name, ...data }: Props) {
  const kept = usePaths()
  const { row, compared, series, time, traces, issues, splits, choices } = data
  return (
    <div className="page page-wide">
      <p className="transaction-trail">
        <Link to={kept.performance(org, project)}>All routes and transactions</Link>
      </p>
      <h1 className="transaction-title">
        <span className="perf-op">{op}</span> <UserText text={name} />
      </h1>
      <FilterBar org={org} project={project} source="transactions" choices={choices} />
      {row === undefined ? (
        <EmptyState title="Nothing in this time">
          <p>A longer time may have some, or fewer filters; or the route has another name since a release.</p>
        </EmptyState>
      ) : (
        <>
          <TransactionFigures row={row} compared={compared} />
          <TransactionCharts series={series} />
          <Section
            id="time"
            title="Where the time goes"
            note={time.transactions < row.samples ? `of the latest ${time.transactions}` : undefined}
          >
            <TransactionTime time={time} />
          </Section>
          <Section id="whom" title="For whom">
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
