import type { ReactNode } from 'react'
import { Badge } from '../../../../ui/badge.tsx'
import { Count } from '../../../../ui/count.tsx'
import { useTimeText } from '../../../../ui/page-clock.tsx'
import { Ago } from '../../../../ui/time.tsx'

export type Refusals = { readonly quantity: number; readonly lastMs?: number | undefined }

/** The counts are by the minute, so this is as exact as "now" can be. */
const NOW_MS = 120_000

export type RefusedNoteProps = {
  readonly refusals: Refusals
  readonly noun: string
  /** What happened to them: "were over it". */
  readonly children: ReactNode
  /** On the badge, while it happens. */
  readonly badge: string
}

/** What the door refused within a day. Nothing refused, nothing said. */
export function RefusedNote({ refusals: { quantity, lastMs }, noun, children, badge }: RefusedNoteProps) {
  const isNow = useTimeText((nowMs) => (nowMs - (lastMs ?? 0) < NOW_MS ? 'now' : '')) === 'now'
  if (quantity === 0 || lastMs === undefined) return null
  return (
    <p className="refused-note">
      {isNow && <Badge tone="attention">{badge}</Badge>} <Count value={quantity} noun={noun} /> {children} in
      the last 24 hours, the last <Ago atMs={lastMs} />.
    </p>
  )
}
