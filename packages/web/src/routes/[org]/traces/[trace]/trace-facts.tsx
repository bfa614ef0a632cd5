/** What stands above the waterfall: the trace in a few figures, its services, its pages, what it waited for. */
import { Link } from '@sonde/router'
import { countOf, formatExact, formatShare } from '../../../../format/format-count.ts'
import { formatDuration, formatShift } from '../../../../format/format-duration.ts'
import { paths } from '../../../../paths.ts'
import { ExactTime } from '../../../../ui/time.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import type { TraceData } from './load-trace.server.ts'
import { vitalMark } from './trace-marks.ts'
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
      {previous !== undefined && (
        <Link to={paths.trace(org, previous)} prefetch="intent" title="The page before, in the same session">
          ← Page before
        </Link>
      )}
      {next !== undefined && (
        <Link to={paths.trace(org, next)} prefetch="intent" title="The page after, in the same session">
          Page after →
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
        <svg className="legend-waited" width="18" height="10" aria-hidden="true">
          <rect className="span-waited" y="7" width="18" height="3" />
        </svg>
        <span className="muted">waited for</span>
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
            <span className="vital-rating">{rating === 'fair' ? 'needs work' : rating}</span>
          </li>
        )
      })}
    </ul>
  )
}

/** Where the time went on the way from the end back to the begin: shortening these shortens the whole. */
export function WaitedFor({
  shares,
  services,
  lengthMs,
}: Pick<TraceData, 'shares' | 'services' | 'lengthMs'>) {
  const whole = shares.reduce((sum, { waitedMs }) => sum + waitedMs, 0)
  if (shares.length < 2 || whole <= 0) return null
  return (
    <details className="trace-waited" open>
      <summary>What it waited for</summary>
      <ol>
        {shares.map(({ op, name, service, waitedMs, spans }) => (
          <li key={`${service} ${op} ${name}`}>
            <span className="num trace-waited-time">{formatDuration(waitedMs)}</span>{' '}
            <span className="num muted">{formatShare(waitedMs, lengthMs)}</span>{' '}
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
