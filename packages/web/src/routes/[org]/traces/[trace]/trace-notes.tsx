/** What a reader must know to read the waterfall rightly: what is not shown, what was moved, what is broken. */
import { Link } from '@sonde/router'
import { formatExact } from '../../../../format/format-count.ts'
import { formatDuration } from '../../../../format/format-duration.ts'
import { paths } from '../../../../paths.ts'
import type { TraceData } from './load-trace.server.ts'
import { hasFlag, type TraceRows } from '../../../../parts/trace/packed-trace.ts'

type Props = { readonly org: string; readonly data: TraceData; readonly rows: TraceRows }

export function TraceNotes({ org, data, rows }: Props) {
  const { spanCount, readCount, root, traceId } = data
  const notes: string[] = []
  if (rows.count < readCount && root === undefined)
    notes.push(
      `${formatExact(rows.count)} of ${formatExact(spanCount)} spans are shown: roots, what failed or has an error, ` +
        'what the trace waited for, then what took longest. “more spans below it” opens the rest of a span.',
    )
  if (readCount < spanCount)
    notes.push(
      `Of so many spans ${formatExact(readCount)} were read; the rest is shorter, and counted nowhere below.`,
    )
  notes.push(...shiftNotes(data, rows))
  const broken = (['cycle', 'duplicate-id'] as const).filter((flag) =>
    rows.flags.some((_, row) => hasFlag(rows, row, flag)),
  )
  if (broken.includes('cycle'))
    notes.push('Some spans name each other as parents; the circle is cut at the first of them.')
  if (broken.includes('duplicate-id'))
    notes.push('Some span ids came more than once; what belongs to them stands below the first.')
  return (
    <>
      {root !== undefined && (
        <p className="trace-note">
          Only one span and what is below it. <Link to={paths.trace(org, traceId)}>Show the whole trace</Link>
        </p>
      )}
      {notes.map((note) => (
        <p key={note} className="trace-note">
          {note}
        </p>
      ))}
    </>
  )
}

/** Clocks agree by some milliseconds: smaller shifts stand with their span only. */
const TOLD_FROM_MS = 20

/** One sentence for each service whose clock was off, by the largest shift. */
function shiftNotes({ shifts, services }: TraceData, rows: TraceRows): string[] {
  const largest = new Map<number, number>()
  for (const [row, shiftMs] of shifts) {
    const service = rows.services[row] ?? 0
    if (Math.abs(shiftMs) > Math.abs(largest.get(service) ?? 0)) largest.set(service, shiftMs)
  }
  return [...largest]
    .filter(([, shiftMs]) => Math.abs(shiftMs) >= TOLD_FROM_MS)
    .map(([service, shiftMs]) => {
      const { project = '', name = '' } = services[service] ?? {}
      const way = shiftMs < 0 ? 'ahead' : 'behind'
      return `The clock of ${[project, name].filter((text) => text !== '').join(' · ')} is ${formatDuration(Math.abs(shiftMs))} ${way}: its spans are shown ${shiftMs < 0 ? 'earlier' : 'later'}, within what called them.`
    })
}
