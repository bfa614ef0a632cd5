import { Badge } from '../../../../ui/badge.tsx'
import { type MonitorFlags, RUN_TONES, RUN_WORDS, type ShownEnvironment } from './cron-words.ts'

/** How the last run of an environment ended; one that does not count as failing yet is only worth attention. */
export function StateBadge({
  state,
  isFailing,
  isRunning,
}: Pick<ShownEnvironment, 'state' | 'isFailing' | 'isRunning'>) {
  const tone = state === 'new' ? 'neutral' : RUN_TONES[state]
  return (
    <span className="cron-badges">
      <Badge tone={tone === 'bad' && !isFailing ? 'attention' : isFailing ? 'bad' : tone}>
        {state === 'new' ? 'Pending' : RUN_WORDS[state]}
      </Badge>
      {isFailing && state === 'ok' && <Badge tone="bad">Recovering</Badge>}
      {isRunning && <Badge>In progress</Badge>}
    </span>
  )
}

export function FlagBadges({ isEnabled, isMuted }: MonitorFlags) {
  if (isEnabled && !isMuted) return null
  return (
    <span className="cron-badges">
      {!isEnabled && <Badge>Disabled</Badge>}
      {isMuted && <Badge>Muted</Badge>}
    </span>
  )
}
