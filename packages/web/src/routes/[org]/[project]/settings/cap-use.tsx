import { formatExact, formatShare } from '../../../../format/format-count.ts'
import { SplitBar } from '../../../../parts/split-bar.tsx'
import { Badge } from '../../../../ui/badge.tsx'
import { Count } from '../../../../ui/count.tsx'
import { Sparkline } from '../../../../ui/sparkline.tsx'
import { ExactTime } from '../../../../ui/time.tsx'

export type ShownUsage = {
  readonly cap?: { readonly count: number; readonly period: 'day' | 'month' } | undefined
  readonly perMinute?: number | undefined
  readonly window: { readonly fromMs: number; readonly toMs: number }
  readonly used: number
  readonly expected?: number | undefined
  readonly refusedUntilMs?: number | undefined
  readonly daily: readonly number[]
}

/** How much of a cap is used, and when it will be over. Without one, what a month comes to. */
export function CapUse({ usage }: { readonly usage: ShownUsage }) {
  const { cap, window, used, expected, refusedUntilMs, daily } = usage
  const period = cap?.period === 'day' ? 'today' : 'this month'
  const end = cap?.period === 'day' ? 'day' : 'month'
  return (
    <div className="cap-use">
      <p>
        <strong>
          <Count value={used} noun="span" />
        </strong>{' '}
        {cap ? (
          <>
            of <Count value={cap.count} noun="span" /> spans stored {period} ({formatShare(used, cap.count)}{' '}
            of the quota).
          </>
        ) : (
          `${used === 1 ? 'span' : 'spans'} stored ${period}.`
        )}{' '}
        {expected !== undefined && refusedUntilMs === undefined && (
          <>
            Projected: <Count value={expected} noun="span" /> by the end of the {end}.{' '}
            {cap && expected > cap.count && <Badge tone="attention">over quota</Badge>}
          </>
        )}
      </p>
      {cap && (
        <SplitBar
          label={`${formatExact(used)} of ${formatExact(cap.count)} spans`}
          parts={[
            { className: used >= cap.count ? 'cap-full' : 'cap-used', value: Math.min(used, cap.count) },
            { className: 'cap-left', value: Math.max(0, cap.count - used) },
          ]}
        />
      )}
      {refusedUntilMs !== undefined && (
        <p>
          <Badge tone="attention">quota reached</Badge> Transactions and spans are rejected until{' '}
          <ExactTime atMs={refusedUntilMs} />. Errors are still accepted.
        </p>
      )}
      <div className="cap-days">
        <Sparkline counts={daily} period="30 days" step="day" noun="span" />
        <span className="muted">
          Stored spans per day, last 30 days (UTC). This {end} ends <ExactTime atMs={window.toMs} />.
        </span>
      </div>
    </div>
  )
}
