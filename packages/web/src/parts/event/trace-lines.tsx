/** A trace in a few lines with the navigation around an error: its code is fetched when the section comes into sight. */
import { Link } from '@sonde/router'
import { formatExact } from '../../format/format-count.ts'
import { formatDuration } from '../../format/format-time.ts'
import { paths } from '../../paths.ts'
import { useJson } from '../../shell/use-json.ts'
import { UserText } from '../../ui/user-text.tsx'
import { NavigationLine, type ShownNavigation } from '../trace/navigation-strip.tsx'
import type { SummaryLine, TraceSummary } from '../trace/summarise-trace.server.ts'

type Fetched = TraceSummary & {
  readonly navigations: readonly (ShownNavigation & { readonly atMs: number })[]
}
export type TraceLinesProps = {
  readonly org: string
  readonly traceId: string
  readonly spanId: string | undefined
  readonly eventMs: number
}

const GONE = 'No spans stored for this trace: it was not sampled, or its spans have expired.'
const isFound = (data: Partial<Fetched>): data is Fetched => data.lines !== undefined

export default function TraceLines({ org, traceId, spanId, eventMs }: TraceLinesProps) {
  const { state, data } = useJson<Partial<Fetched>>(paths.traceSummary(org, traceId, spanId))
  if (data && isFound(data)) return <Found org={org} traceId={traceId} summary={data} eventMs={eventMs} />
  return (
    <p className="muted">
      {state === 'failed' && 'Couldn’t load the trace preview. View the trace instead.'}
      {state === 'done' && GONE}
      {state === 'loading' && 'Spans around this event, across all services.'}
    </p>
  )
}

type FoundProps = {
  readonly org: string
  readonly traceId: string
  readonly summary: Fetched
  readonly eventMs: number
}

function Found({ org, traceId, summary, eventMs }: FoundProps) {
  const { spanCount, lengthMs, services, failed, lines, navigations } = summary
  // The one that was under way, or the last before.
  const navigation = navigations.findLast(({ atMs }) => atMs <= eventMs) ?? navigations[0]
  return (
    <>
      {navigation && (
        <div className="navigation-strip">
          <NavigationLine org={org} navigation={navigation} />
        </div>
      )}
      <p className="trace-facts">
        <span>
          {formatExact(spanCount)} {spanCount === 1 ? 'span' : 'spans'}
        </span>
        <span>{formatDuration(lengthMs)}</span>
        <span>
          <bdi>{services.join(', ')}</bdi>
        </span>
        {failed && (
          <Link className="perf-bad" to={paths.trace(org, traceId, failed.id)} prefetch="none">
            failed: {failed.op} <UserText text={failed.name} />
          </Link>
        )}
      </p>
      <ol className="trace-summary">
        {lines.map((line) => (
          <li key={line.id}>
            <SummaryRow line={line} lengthMs={lengthMs} to={paths.trace(org, traceId, line.id)} />
          </li>
        ))}
      </ol>
      {lines.length < spanCount && (
        <p className="muted">{formatExact(spanCount - lines.length)} more in this trace.</p>
      )}
    </>
  )
}

const HUES = 6
const WIDTH = 1000

type RowProps = { readonly line: SummaryLine; readonly lengthMs: number; readonly to: string }

function SummaryRow({ line, lengthMs, to }: RowProps) {
  const { op, name, depth, startMs, durationMs, isFailed, isHere, service } = line
  const x = (startMs / Math.max(lengthMs, 1e-6)) * WIDTH
  return (
    <Link className="trace-summary-row" to={to} prefetch="none" aria-current={isHere || undefined}>
      <span className="trace-summary-name">
        <svg className="span-indent" width={depth * 10} height="1" aria-hidden="true" />
        <span className="perf-op">{op}</span> <UserText text={name} />
        {isHere && <span className="perf-bad"> this error</span>}
        {isFailed && !isHere && <span className="perf-bad"> failed</span>}
      </span>
      <svg className="span-bar" viewBox={`0 0 ${WIDTH} 10`} preserveAspectRatio="none" aria-hidden="true">
        <rect
          className={isFailed ? 'span-failed' : `hue-${service % HUES}`}
          x={Math.min(x, WIDTH - 3)}
          width={Math.max(3, (durationMs / Math.max(lengthMs, 1e-6)) * WIDTH)}
          height="10"
        />
      </svg>
      <span className="num trace-summary-time">{formatDuration(durationMs)}</span>
    </Link>
  )
}
