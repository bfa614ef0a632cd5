/** The parts of a wait, ready to be drawn and read. */
import { NAVIGATION_PHASES, type NavigationPhase } from '@sonde/protocol/navigation'
import type { MeanPhases } from '@sonde/queries'
import { formatShare } from '../../../../format/format-count.ts'
import { formatDuration } from '../../../../format/format-duration.ts'
import { PHASE_WORDS } from './navigation-words.ts'

export type PhasePart = {
  readonly phase: NavigationPhase
  readonly name: string
  readonly about: string
  readonly ms: number
  /** Of the wait; empty for what comes after it. */
  readonly share: string
}

/** In their order; those that took no time are left out. */
export function phaseParts(phases: MeanPhases): readonly PhasePart[] {
  const wait = waitOf(phases)
  return NAVIGATION_PHASES.flatMap((phase) => {
    const ms = phases[phase] ?? 0
    if (ms <= 0) return []
    const share = phase === 'settled' ? '' : formatShare(ms, wait)
    return [{ phase, ...PHASE_WORDS[phase], ms, share }]
  })
}

/** From the press to the picture: everything but what settles after it. */
export function waitOf(phases: MeanPhases): number {
  return NAVIGATION_PHASES.reduce((sum, phase) => sum + (phase === 'settled' ? 0 : (phases[phase] ?? 0)), 0)
}

/** `Data 160 ms, Render 11 ms; then settling 95 ms` */
export function phasesText(parts: readonly PhasePart[]): string {
  const way = parts.filter(({ phase }) => phase !== 'settled')
  const after = parts.find(({ phase }) => phase === 'settled')
  const text = way.map(({ name, ms }) => `${name} ${formatDuration(ms)}`).join(', ')
  return after ? `${text}; then settling ${formatDuration(after.ms)}` : text
}

/** Of one navigation: data and code were loaded side by side, and only the longer of the two was waited for. */
export function longerOfLoads(phases: MeanPhases): MeanPhases {
  const { data = 0, chunk = 0, ...others } = phases
  return chunk > data ? { ...others, chunk } : { ...others, ...(data > 0 && { data }) }
}
