import type { ExploreValue, ValueKind } from '@sonde/queries'
import { formatExact } from '../../format/format-count.ts'
import { formatDuration } from '../../format/format-duration.ts'
import { formatRate, formatRateShare } from '../performance/format-rate.ts'
import { Count } from '../../ui/count.tsx'
import { ExactTime } from '../../ui/time.tsx'
import { UserText } from '../../ui/user-text.tsx'

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
