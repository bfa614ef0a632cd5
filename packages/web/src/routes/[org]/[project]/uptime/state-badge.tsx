import { Badge } from '../../../../ui/badge.tsx'
import type { ShownState } from './uptime-words.ts'

const STATES = {
  up: { name: 'Up', tone: 'good' },
  down: { name: 'Down', tone: 'bad' },
  shaky: { name: 'Failing', tone: 'attention' },
  paused: { name: 'Paused', tone: 'quiet' },
  new: { name: 'Pending', tone: 'neutral' },
} as const

export function StateBadge({ state }: { readonly state: ShownState }) {
  const { name, tone } = STATES[state]
  return <Badge tone={tone}>{name}</Badge>
}
