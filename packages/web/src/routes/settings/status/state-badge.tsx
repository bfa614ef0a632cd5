import type { OperatorStatus } from '@sonde/queries'
import { Badge } from '../../../ui/badge.tsx'

type State = OperatorStatus['state']

const TONES = { ok: 'good', degraded: 'attention', down: 'bad', stopped: 'neutral' } as const
const WORDS = { ok: 'healthy', degraded: 'degraded', down: 'down', stopped: 'stopped' } as const

export function StateBadge({ state }: { readonly state: State }) {
  return <Badge tone={TONES[state]}>{WORDS[state]}</Badge>
}
