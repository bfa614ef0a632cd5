/** The selected span in full. What its line has is shown at once, the rest when it has loaded. */
import { Link } from '@sonde/router'
import { useState } from 'react'
import { countOf, formatExact } from '../../../../format/format-count.ts'
import { formatDuration } from '../../../../format/format-time.ts'
import { hasFlag } from '../../../../parts/trace/packed-trace.ts'
import { paths } from '../../../../paths.ts'
import { useJson } from '../../../../shell/use-json.ts'
import { CopyButton } from '../../../../ui/copy-button.tsx'
import { KeyValues } from '../../../../ui/key-values.tsx'
import { LongText, UserText } from '../../../../ui/user-text.tsx'
import { LinkedSpans } from './linked-spans.tsx'
import type { SpanData } from './load-span.server.ts'
import type { TraceData } from './page.server.ts'
import { slownessText } from './trace-time.ts'
import type { TraceView } from './use-trace-view.ts'

type Props = {
  readonly org: string
  readonly data: TraceData & { readonly span?: SpanData | undefined }
  readonly view: TraceView
  readonly row: number
}

export function SpanPanel({ org, data, view, row }: Props) {
  const { rows } = view.tree
  const id = rows.ids[row] ?? ''
  const own = data.span?.spanId === id ? data.span : undefined
  const fetched = useJson<SpanData>(own ? undefined : paths.traceSpan(org, data.traceId, id))
  const detail = own ?? (fetched.data?.spanId === id ? fetched.data : undefined)
  const [op = '', name = '', durationMs = 0] = [rows.ops[row], rows.names[row], rows.durationsMs[row]]
  const service = data.services[rows.services[row] ?? 0]
  const shiftMs = data.shifts.find(([shifted]) => shifted === row)?.[1]
  const criticalMs = data.critical.reduce((sum, [at, , lengthMs]) => (at === row ? sum + lengthMs : sum), 0)
  const errors = data.errors.filter((error) => error.row === row)
  const about: Record<string, string> = {
    service: [service?.project, service?.name].filter((text) => text).join(' · '),
    start: `+${formatDuration(rows.startsMs[row] ?? 0)} from trace start`,
    ...(hasFlag(rows, row, 'critical') && {
      'critical path': `${formatDuration(criticalMs)} self time`,
    }),
    ...(hasFlag(rows, row, 'outlives') && { end: 'after its parent ended' }),
    ...(shiftMs !== undefined && {
      'clock skew': `${formatDuration(Math.abs(shiftMs))} ${shiftMs < 0 ? 'ahead' : 'behind'}, shifted to fit inside its parent`,
    }),
    ...(detail?.attributes['sonde.remark'] !== undefined && {
      'processing error':
        REMARKS[String(detail.attributes['sonde.remark'])] ?? String(detail.attributes['sonde.remark']),
    }),
    ...(detail && detail.status !== '' && { status: detail.status }),
    ...(detail && detail.origin !== '' && { origin: detail.origin }),
    ...detail?.facts,
    'span ID': id,
    ...(detail && detail.parentSpanId !== '' && { 'parent span ID': detail.parentSpanId }),
  }
  return (
    <section className="span-panel" id="span" aria-labelledby="span-title">
      <div className="span-panel-head">
        <h2 id="span-title">Span {op}</h2>
        <button type="button" className="button button-small" onClick={() => view.choose(undefined)}>
          Close
        </button>
      </div>
      <p className="span-panel-name">
        <LongText text={detail?.name || name} max={600} />
      </p>
      <p className="span-panel-duration">
        <strong className="num">{formatDuration(durationMs)}</strong>{' '}
        {detail?.usual ? <Usual usual={detail.usual} durationMs={durationMs} /> : null}
      </p>
      <div className="span-panel-tools">
        <button type="button" className="button button-small" onClick={() => view.zoomToRow(row)}>
          Zoom to span
        </button>
        <button type="button" className="button button-small" onClick={() => view.show(row)}>
          Show in waterfall
        </button>
        <Link
          className="button button-small"
          to={paths.trace(org, data.traceId, { root: id })}
          prefetch="none"
        >
          Focus subtree
        </Link>
        {service && profileOf(detail) !== undefined && (
          <Link
            className="button button-small"
            to={paths.profile(org, service.project, profileOf(detail) ?? '')}
            prefetch="none"
          >
            View profile
          </Link>
        )}
        <CopyButton text={id} what="span ID" label="ID" />
        {detail && (
          <CopyButton text={() => JSON.stringify(detail, undefined, 2)} what="span as JSON" label="JSON" />
        )}
      </div>
      {errors.length > 0 && (
        <ul className="trace-errors">
          {errors.map((error) => (
            <li key={error.eventId}>
              <Link
                className="perf-bad"
                to={paths.event(org, error.project, String(error.issueId), error.eventId)}
                prefetch="intent"
              >
                <UserText text={error.title} />
              </Link>
            </li>
          ))}
        </ul>
      )}
      {detail && <LinkedSpans org={org} traceId={data.traceId} detail={detail} />}
      <KeyValues caption="Span details" rows={Object.entries(about)} />
      {detail ? (
        <Attributes key={id} attributes={detail.attributes} />
      ) : (
        <p className="muted" role="status">
          {fetched.state === 'failed'
            ? 'Couldn’t load attributes. Select the span again to retry.'
            : 'Loading attributes…'}
        </p>
      )}
    </section>
  )
}

const REMARKS: Readonly<Record<string, string>> = {
  end_before_start: 'End time before start time; duration set to 0',
  own_parent: 'Span lists itself as its parent',
  attributes_cut: 'Too many attributes; some were dropped',
}

function Usual({
  usual,
  durationMs,
}: {
  readonly usual: NonNullable<SpanData['usual']>
  readonly durationMs: number
}) {
  const { isSlow, text } = slownessText(durationMs, usual)
  const title = `Last 7 days, ${countOf(usual.count, 'span')}: p50 ${formatDuration(usual.p50Ms)}, p95 ${formatDuration(usual.p95Ms)}`
  return (
    <span className={isSlow ? 'span-slow' : 'muted'} title={title}>
      {text}
    </span>
  )
}

/** From this many on there is a search field. */
const MANY = 8

/** Id of its own profile, or of the profiler that ran beside it. */
function profileOf(detail: SpanData | undefined): string | undefined {
  const id = detail?.attributes['sentry.profile_id'] ?? detail?.attributes['sentry.profiler_id']
  return typeof id === 'string' && id !== '' ? id : undefined
}

function Attributes({ attributes }: Pick<SpanData, 'attributes'>) {
  const [text, setText] = useState('')
  const all = Object.entries(attributes).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const wanted = text.trim().toLowerCase()
  const shown = all.filter(([key, value]) => `${key} ${value}`.toLowerCase().includes(wanted))
  if (all.length === 0) return <p className="muted">No attributes.</p>
  return (
    <>
      {all.length >= MANY && (
        <input
          type="search"
          className="input span-panel-find"
          placeholder={`Filter ${formatExact(all.length)} attributes`}
          aria-label="Filter attributes"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      )}
      {shown.length === 0 ? (
        <p className="muted">No attributes match “{text}”.</p>
      ) : (
        <KeyValues caption="Attributes" rows={shown} />
      )}
    </>
  )
}
