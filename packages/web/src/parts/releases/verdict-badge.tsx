import type { ReleaseVerdict } from '@sonde/queries'
import { Badge } from '../../ui/badge.tsx'

const WORDS = {
  worse: ['Worse', 'bad'],
  better: ['Better', 'good'],
  same: ['Same', 'neutral'],
  not_enough_data: ['Not enough data', 'neutral'],
} as const satisfies Readonly<Record<ReleaseVerdict, readonly [string, 'bad' | 'good' | 'neutral']>>

export function VerdictBadge({
  verdict,
  title,
}: {
  readonly verdict: ReleaseVerdict
  readonly title?: string
}) {
  const [word, tone] = WORDS[verdict]
  return (
    <Badge tone={tone} {...(title !== undefined && { title })}>
      {word}
    </Badge>
  )
}
