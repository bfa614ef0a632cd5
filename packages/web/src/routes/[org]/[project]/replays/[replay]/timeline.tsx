/** Where in the recording it is, with marks for what happened; a range, so that keys and touch move it. */
import type { Entry, EntryKind } from './entries.ts'
import { playerTime, spokenTime } from './player-time.ts'

type Props = {
  readonly entries: readonly Entry[]
  readonly firstMs: number
  readonly durationMs: number
  readonly loadedMs: number
  readonly atMs: number
  readonly seek: (atMs: number) => void
}

/** The more important above the others. */
const MARKED: readonly EntryKind[] = [
  'data',
  'navigation',
  'click',
  'vital',
  'console',
  'request',
  'dead',
  'rage',
  'error',
]
const MARK_NAMES: Readonly<Partial<Record<EntryKind, string>>> = {
  error: 'Errors',
  rage: 'Rage clicks',
  dead: 'Dead clicks',
  request: 'Failed requests',
  console: 'Console errors',
  click: 'Clicks',
  navigation: 'Navigations',
  data: 'Page data',
  vital: 'Vitals',
}
/** More would cover each other: of one kind, those of one place are one mark. */
const PLACES = 400

function marksOf(entries: readonly Entry[], firstMs: number, durationMs: number) {
  const seen = new Set<string>()
  const marks: { readonly kind: EntryKind; readonly place: number }[] = []
  for (const { kind, atMs, isBad } of entries) {
    if (!MARKED.includes(kind) || ((kind === 'request' || kind === 'console') && !isBad)) continue
    const share = Math.min(1, Math.max(0, (atMs - firstMs) / Math.max(1, durationMs)))
    const place = Math.round(share * PLACES) / PLACES
    const key = `${kind} ${place}`
    if (!seen.has(key)) marks.push({ kind, place })
    seen.add(key)
  }
  return marks.toSorted((a, b) => MARKED.indexOf(a.kind) - MARKED.indexOf(b.kind))
}

export function Timeline({ entries, firstMs, durationMs, loadedMs, atMs, seek }: Props) {
  const marks = marksOf(entries, firstMs, durationMs)
  const kinds = MARKED.filter((kind) => marks.some((mark) => mark.kind === kind)).toReversed()
  return (
    <div className="replay-timeline" dir="ltr">
      <div className="replay-track">
        <div className="replay-marks" aria-hidden="true">
          <i
            className="replay-loaded"
            style={{ width: `${Math.min(1, loadedMs / Math.max(1, durationMs)) * 100}%` }}
          />
          {marks.map(({ kind, place }) => (
            <i
              key={`${kind} ${place}`}
              className={`replay-mark mark-${kind}`}
              style={{ left: `${place * 100}%` }}
            />
          ))}
        </div>
        <input
          type="range"
          className="replay-range"
          aria-label="Position in the replay"
          aria-valuetext={`${spokenTime(atMs)} of ${spokenTime(durationMs)}`}
          min={0}
          max={Math.max(1, durationMs)}
          step={100}
          value={Math.min(atMs, durationMs)}
          onChange={(event) => seek(Number(event.currentTarget.value))}
        />
      </div>
      <p className="replay-legend">
        <span className="num">
          {playerTime(atMs)} / {playerTime(durationMs)}
        </span>
        {kinds.map((kind) => (
          <span key={kind} className="replay-legend-kind">
            <i className={`replay-dot mark-${kind}`} aria-hidden="true" /> {MARK_NAMES[kind]}
          </span>
        ))}
      </p>
    </div>
  )
}
