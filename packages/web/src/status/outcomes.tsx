import type { OutcomeCount } from '@sonde/queries'
import { Link } from '@sonde/router'
import { formatShare } from '../format/format-count.ts'
import { paths } from '../paths.ts'
import { Count } from '../ui/count.tsx'
import { Section } from '../ui/section.tsx'
import { OUTCOME_PERIODS } from './periods.ts'

export type OutcomesProps = {
  /** Undefined: they could not be read. */
  readonly outcomes: readonly OutcomeCount[] | undefined
  readonly period: string
}

/** What became of everything that was received: nothing is lost without a reason. */
export function Outcomes({ outcomes, period }: OutcomesProps) {
  return (
    <Section
      id="outcomes"
      title="What became of what was received"
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
      {outcomes === undefined ? (
        <p className="muted">The counts could not be read: see the part “telemetry” above.</p>
      ) : outcomes.length === 0 ? (
        <p className="muted">Nothing was received in this period.</p>
      ) : (
        <OutcomeTable outcomes={outcomes} />
      )}
    </Section>
  )
}

function OutcomeTable({ outcomes }: { readonly outcomes: readonly OutcomeCount[] }) {
  const total = outcomes.reduce((sum, { quantity }) => sum + quantity, 0)
  return (
    <div className="table-frame">
      <table className="status-table">
        <thead>
          <tr>
            <th scope="col">Kind</th>
            <th scope="col">Outcome</th>
            <th scope="col">Reason</th>
            <th scope="col" className="col-end">
              Items
            </th>
            <th scope="col" className="col-end">
              Share
            </th>
          </tr>
        </thead>
        <tbody>
          {outcomes.map(({ category, outcome, reason, quantity }) => (
            <tr key={`${category} ${outcome} ${reason}`}>
              <td>{category}</td>
              <td>{outcome.replaceAll('_', ' ')}</td>
              <td>{reason === '' ? <span className="muted">–</span> : <code>{reason}</code>}</td>
              <td className="col-end">
                <Count value={quantity} noun="item" />
              </td>
              <td className="col-end">{formatShare(quantity, total)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
