import { Link } from '@sonde/router'
import { formatShare } from '../../../format/format-count.ts'
import { paths } from '../../../paths.ts'
import type { OperatorStatus } from '../../../server/operator-status.ts'
import { Count } from '../../../ui/count.tsx'
import { Section, TableFrame } from '../../../ui/section.tsx'
import { Sparkline } from '../../../ui/sparkline.tsx'
import { OUTCOME_PERIODS } from './periods.ts'

export type OutcomesProps = {
  readonly outcomes: OperatorStatus['outcomes']
  readonly period: (typeof OUTCOME_PERIODS)[number]['id']
}

/** What became of everything that was received: nothing is lost without a reason. */
export function Outcomes({ outcomes, period }: OutcomesProps) {
  return (
    <Section
      id="outcomes"
      title="Ingestion outcomes"
      actions={
        <nav className="segmented segmented-small" aria-label="Period">
          {OUTCOME_PERIODS.map(({ id, name }) => (
            <Link
              key={id}
              to={`${paths.status()}?statsPeriod=${id}`}
              aria-current={id === period || undefined}
              prefetch="intent"
              preventScrollReset
            >
              {name}
            </Link>
          ))}
        </nav>
      }
    >
      {outcomes.lines.length === 0 ? (
        <p className="muted">No data received in this period, or counts are unavailable.</p>
      ) : (
        <OutcomeTable outcomes={outcomes} period={period} />
      )}
    </Section>
  )
}

function OutcomeTable({ outcomes, period }: OutcomesProps) {
  const sum = outcomes.lines.reduce((all, { total }) => all + total, 0)
  const inWords = OUTCOME_PERIODS.find(({ id }) => id === period)?.inWords ?? period
  return (
    <TableFrame label="Outcomes by category and reason">
      <table className="status-table">
        <thead>
          <tr>
            <th scope="col">Category</th>
            <th scope="col">Outcome</th>
            <th scope="col">Reason</th>
            <th scope="col" className="col-trend">
              {' '}
              Trend{' '}
            </th>
            <th scope="col" className="col-end">
              Items
            </th>
            <th scope="col" className="col-end">
              Share
            </th>
          </tr>
        </thead>
        <tbody>
          {outcomes.lines.map(({ category, outcome, reason, total, counts }) => (
            <tr key={`${category} ${outcome} ${reason}`}>
              <td>{category}</td>
              <td>{outcome.replaceAll('_', ' ')}</td>
              <td>{reason === '' ? <span className="muted">–</span> : <code>{reason}</code>}</td>
              <td className="col-trend">
                <Sparkline
                  counts={counts}
                  period={inWords}
                  step={outcomes.interval}
                  noun="item"
                  height={18}
                />
              </td>
              <td className="col-end">
                <Count value={total} noun="item" />
              </td>
              <td className="col-end">{formatShare(total, sum)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  )
}
