/** Above the waterfall: facts, services, web vitals, the critical path, errors, and notes on how to read it. */
import { Link } from '@sonde/router'
import { countOf, formatExact, formatShare } from '../../../../format/format-count.ts'
import { formatDuration, formatShift } from '../../../../format/format-time.ts'
import { hasFlag, type TraceRows } from '../../../../parts/trace/packed-trace.ts'
import { paths } from '../../../../paths.ts'
import { Level } from '../../../../ui/badge.tsx'
import { Section } from '../../../../ui/section.tsx'
import { ExactTime } from '../../../../ui/time.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import type { TraceData } from './page.server.ts'
import { vitalMark } from './trace-time.ts'
import { HUES } from './waterfall-line.tsx'

type Props = { readonly org: string; readonly data: TraceData }

export function TraceFacts({ org, data }: Props) {
  const { previous, next } = data.neighbours
  return (
    <p className="trace-facts">
      <span>
        {formatExact(data.spanCount)} {data.spanCount === 1 ? 'span' : 'spans'}
      </span>
      <span>{formatDuration(data.lengthMs)}</span>
      <ExactTime atMs={data.beginMs} />
      {[...new Set(data.services.map(({ project }) => project))].map((project) => (
        <Link
          key={project}
          to={paths.logs(org, project, { query: `trace:${data.traceId}`, statsPeriod: '90d' })}
          prefetch="none"
        >
          Logs of <bdi>{project}</bdi>
        </Link>
      ))}
      {data.replays.map(({ replayId, project, second }) => (
        <Link key={replayId} to={paths.replay(org, project, replayId, second)} prefetch="none">
          Replay
        </Link>
      ))}
      {previous !== undefined && (
        <Link to={paths.trace(org, previous)} prefetch="intent" title="Previous page view in this session">
          ← Previous page view
        </Link>
      )}
      {next !== undefined && (
        <Link to={paths.trace(org, next)} prefetch="intent" title="Next page view in this session">
          Next page view →
        </Link>
      )}
    </p>
  )
}

/** Which colour is which service. */
export function ServiceLegend({ services }: Pick<TraceData, 'services'>) {
  return (
    <ul className="trace-legend" aria-label="Services">
      {services.map(({ project, name, spans }, at) =>
        spans === 0 ? null : (
          <li key={at}>
            <span className={`service-dot hue-${at % HUES}`} />
            <bdi>{project}</bdi>
            {name !== '' && (
              <span className="muted">
                {' '}
                · <bdi>{name}</bdi>
              </span>
            )}{' '}
            <span className="muted num" title={countOf(spans, 'span')}>
              {formatExact(spans)}
            </span>
          </li>
        ),
      )}
      <li>
        <svg className="legend-critical" width="18" height="10" aria-hidden="true">
          <rect className="span-critical" y="7" width="18" height="3" />
        </svg>
        <span className="muted">critical path</span>
      </li>
    </ul>
  )
}

/** The vitals of the page loads in the trace, each with its rating in words. */
export function TraceVitals({ vitals }: Pick<TraceData, 'vitals'>) {
  if (vitals.length === 0) return null
  return (
    <ul className="trace-vitals" aria-label="Web vitals">
      {vitals.map((vital, index) => {
        const { rating } = vitalMark(vital)
        const { name, value, element } = vital
        return (
          <li key={index} className={`vital-${rating}`} title={element === '' ? undefined : element}>
            {name.toUpperCase()} {name === 'cls' ? formatShift(value) : formatDuration(value)}{' '}
            <span className="vital-rating">{rating === 'fair' ? 'needs improvement' : rating}</span>
          </li>
        )
      })}
    </ul>
  )
}

/** The spans on the critical path: shortening these shortens the trace. */
export function CriticalPath({
  shares,
  services,
  lengthMs,
}: Pick<TraceData, 'shares' | 'services' | 'lengthMs'>) {
  const whole = shares.reduce((sum, { criticalMs }) => sum + criticalMs, 0)
  if (shares.length < 2 || whole <= 0) return null
  return (
    <details className="trace-critical" open>
      <summary>Critical path</summary>
      <ol>
        {shares.map(({ op, name, service, criticalMs, spans }) => (
          <li key={`${service} ${op} ${name}`}>
            <span className="num trace-critical-time">{formatDuration(criticalMs)}</span>{' '}
            <span className="num muted">{formatShare(criticalMs, lengthMs)}</span>{' '}
            <span className={`service-dot hue-${service % HUES}`} /> <span className="perf-op">{op}</span>{' '}
            <UserText text={name} />{' '}
            <span className="muted">
              {services[service]?.project}
              {spans > 1 && ` · ${formatExact(spans)} ×`}
            </span>
          </li>
        ))}
      </ol>
    </details>
  )
}

// The errors that happened in the trace, each with the way to its issue and to its span.

/** The rest is in a disclosure, so that the waterfall stays in sight. */
const FIRST = 5

type TraceErrorsProps = {
  readonly org: string
  readonly errors: TraceData['errors']
  readonly onShow: (row: number) => void
}

export function TraceErrors({ org, errors, onShow }: TraceErrorsProps) {
  if (errors.length === 0) return null
  return (
    <Section id="errors" title={countOf(errors.length, 'error')}>
      <ErrorLines org={org} errors={errors.slice(0, FIRST)} onShow={onShow} />
      {errors.length > FIRST && (
        <details>
          <summary>{countOf(errors.length - FIRST, 'more error')}</summary>
          <ErrorLines org={org} errors={errors.slice(FIRST)} onShow={onShow} />
        </details>
      )}
    </Section>
  )
}

function ErrorLines({ org, errors, onShow }: TraceErrorsProps) {
  return (
    <ul className="trace-errors">
      {errors.map((error) => (
        <li key={error.eventId}>
          <Level level={error.level} />{' '}
          <Link to={paths.event(org, error.project, String(error.issueId), error.eventId)} prefetch="intent">
            <UserText text={error.title} />
          </Link>{' '}
          <span className="muted">
            <bdi>{error.project}</bdi>
          </span>{' '}
          {error.row >= 0 && (
            <button type="button" className="button button-small" onClick={() => onShow(error.row)}>
              View span
            </button>
          )}
        </li>
      ))}
    </ul>
  )
}

type TraceNotesProps = { readonly org: string; readonly data: TraceData; readonly rows: TraceRows }

export function TraceNotes({ org, data, rows }: TraceNotesProps) {
  const { spanCount, readCount, root, traceId } = data
  const notes: string[] = []
  if (rows.count < readCount && root === undefined)
    notes.push(
      `Showing ${formatExact(rows.count)} of ${formatExact(spanCount)} spans: roots, failed spans and spans with errors, ` +
        'the critical path, then the longest. “more child spans” opens the rest of a span.',
    )
  if (readCount < spanCount)
    notes.push(
      `Only the longest ${formatExact(readCount)} spans were loaded; the rest are not counted below.`,
    )
  notes.push(...shiftNotes(data, rows))
  const broken = (['cycle', 'duplicate-id'] as const).filter((flag) =>
    rows.flags.some((_, row) => hasFlag(rows, row, flag)),
  )
  if (broken.includes('cycle'))
    notes.push('Some spans have circular parents. Each circle is cut at its first span.')
  if (broken.includes('duplicate-id'))
    notes.push('Some span IDs are duplicated. Their child spans are attached to the first one.')
  return (
    <>
      {root !== undefined && (
        <p className="trace-note">
          Showing one span and its descendants. <Link to={paths.trace(org, traceId)}>Show full trace</Link>
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

/** Clocks differ by some milliseconds anyway: smaller shifts are noted on the span only. */
const NOTE_FROM_MS = 20

/** One sentence for each service whose clock was off, by the largest shift. */
function shiftNotes({ shifts, services }: TraceData, rows: TraceRows): string[] {
  const largest = new Map<number, number>()
  for (const [row, shiftMs] of shifts) {
    const service = rows.services[row] ?? 0
    if (Math.abs(shiftMs) > Math.abs(largest.get(service) ?? 0)) largest.set(service, shiftMs)
  }
  return [...largest]
    .filter(([, shiftMs]) => Math.abs(shiftMs) >= NOTE_FROM_MS)
    .map(([service, shiftMs]) => {
      const { project = '', name = '' } = services[service] ?? {}
      const way = shiftMs < 0 ? 'ahead' : 'behind'
      return `Clock skew: ${[project, name].filter((text) => text !== '').join(' · ')} is ${formatDuration(Math.abs(shiftMs))} ${way}. Its spans were shifted to fit inside their parents.`
    })
}
