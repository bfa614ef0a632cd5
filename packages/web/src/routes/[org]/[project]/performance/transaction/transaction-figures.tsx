import type { Compared, TransactionChange } from '@sonde/queries'
import type { ReactNode } from 'react'
import { formatExact } from '../../../../../format/format-count.ts'
import { formatDuration } from '../../../../../format/format-duration.ts'
import { ChangeText } from '../change-cell.tsx'
import { AtLeastCount, ExtrapolatedCount } from '../../../../../parts/performance/extrapolated-count.tsx'
import { formatRate, formatRateShare } from '../../../../../parts/performance/format-rate.ts'
import type { ShownTransaction } from '../transaction-table.tsx'

type Props = {
  readonly row: ShownTransaction
  /** Undefined when there is nothing to compare with. */
  readonly compared: TransactionChange | undefined
}

/** What the list says of it, each measure with how it changed. */
export function TransactionFigures({ row, compared }: Props) {
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
      <Figure name="Count" about="Counted up from what was sampled">
        <strong>
          <ExtrapolatedCount count={row.count} samples={row.samples} noun="time" />
        </strong>
        <span className="muted">{formatRate(row.perMinute)} per minute</span>
      </Figure>
      {measured('p50', 'p50', formatDuration(row.p50), 'Half of them were at least as fast')}
      {measured('p75', 'p75', formatDuration(row.p75), 'Three of four were at least as fast')}
      {measured('p95', 'p95', formatDuration(row.p95), '19 of 20 were at least as fast')}
      {measured('Failed', 'failureRate', formatRateShare(row.failureRate), 'Ended in failure, by status')}
      <Figure name="Misery" about="People who waited more than 1.2 s at least once">
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
