import type { MeanPhases } from '@sonde/queries'
import { formatDuration } from '../../../../format/format-time.ts'
import { SplitBar } from '../../../../parts/split-bar.tsx'
import { type PhasePart, phaseParts, phasesText, waitOf } from './navigation-figures.ts'

type Props = {
  readonly phases: MeanPhases
  /** What the bar stands for: `All navigations`. */
  readonly of: string
}

/** The time breakdown as a wide bar with a legend. Time after paint is listed, not drawn. */
export function PhaseBar({ phases, of }: Props) {
  const parts = phaseParts(phases)
  const way = onTheWay(parts)
  if (way.length === 0) return <p className="muted">No timing breakdown available.</p>
  return (
    <div className="phase-wide">
      <SplitBar label={`${of}: ${phasesText(parts)}`} parts={way} />
      <ul className="phase-legend">
        {parts.map(({ phase, name, about, ms, share }) => (
          <li key={phase} title={about} className={phase === 'settled' ? 'muted' : undefined}>
            <svg className="phase-key" viewBox="0 0 8 8" aria-hidden="true">
              <rect className={`phase-${phase}`} width="8" height="8" rx="1.5" />
            </svg>
            {name} <span className="num">{formatDuration(ms)}</span>
            <span className="muted num"> {share === '' ? 'after paint' : share}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The same in a table cell: the bar and its longest phase. */
export function PhaseCell({ phases, of }: Props) {
  const parts = phaseParts(phases)
  const way = onTheWay(parts)
  const longest = parts
    .filter(({ phase }) => phase !== 'settled')
    .toSorted((a, b) => b.ms - a.ms)
    .at(0)
  if (!longest) return <span className="muted">–</span>
  const label = `${of}: ${phasesText(parts)}`
  return (
    <div className="perf-phases" title={label}>
      <SplitBar label={label} parts={way} />
      <span className="muted">
        {longest.share} {longest.name.toLowerCase()} of {formatDuration(waitOf(phases))}
      </span>
    </div>
  )
}

const onTheWay = (parts: readonly PhasePart[]) =>
  parts
    .filter(({ phase }) => phase !== 'settled')
    .map(({ phase, ms }) => ({ className: `phase-${phase}`, value: ms }))
