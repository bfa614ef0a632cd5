/** Everything that is known of the span that was chosen. What its line knows is there at once, the rest when it comes. */
import { Link } from '@sonde/router'
import { useState } from 'react'
import { formatExact } from '../../../../format/format-count.ts'
import { formatDuration } from '../../../../format/format-duration.ts'
import { paths } from '../../../../paths.ts'
import { useJson } from '../../../../shell/use-json.ts'
import { CopyButton } from '../../../../ui/copy-button.tsx'
import { KeyValues } from '../../../../ui/key-values.tsx'
import { LongText } from '../../../../ui/long-text.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import type { SpanData } from './load-span.server.ts'
import type { TraceData } from './load-trace.server.ts'
import { hasFlag } from '../../../../parts/trace/packed-trace.ts'
import type { TraceView } from './use-trace-view.ts'
import { slownessText } from './slowness-text.ts'

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
  const waitedMs = data.critical.reduce((sum, [at, , lengthMs]) => (at === row ? sum + lengthMs : sum), 0)
  const errors = data.errors.filter((error) => error.row === row)
  const about: Record<string, string> = {
    service: [service?.project, service?.name].filter((text) => text).join(' · '),
    began: `${formatDuration(rows.startsMs[row] ?? 0)} after the begin`,
    ...(hasFlag(rows, row, 'critical') && { 'waited for': `${formatDuration(waitedMs)} for it alone` }),
    ...(hasFlag(rows, row, 'outlives') && { ended: 'after its parent: it was not waited for' }),
    ...(shiftMs !== undefined && {
      clock: `${formatDuration(Math.abs(shiftMs))} ${shiftMs < 0 ? 'ahead' : 'behind'}: shown within what called it`,
    }),
    ...(detail?.attributes['sonde.remark'] !== undefined && {
      remark: REMARKS[String(detail.attributes['sonde.remark'])] ?? String(detail.attributes['sonde.remark']),
    }),
    ...(detail && detail.status !== '' && { status: detail.status }),
    ...(detail && detail.origin !== '' && { origin: detail.origin }),
    ...detail?.facts,
    'span id': id,
    ...(detail && detail.parentSpanId !== '' && { 'parent id': detail.parentSpanId }),
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
      <p className="span-panel-took">
        <strong className="num">{formatDuration(durationMs)}</strong>{' '}
        {detail?.usual ? <Usual usual={detail.usual} durationMs={durationMs} /> : null}
      </p>
      <div className="span-panel-tools">
        <button type="button" className="button button-small" onClick={() => view.zoomToRow(row)}>
          Zoom to it
        </button>
        <button type="button" className="button button-small" onClick={() => view.show(row)}>
          Its line
        </button>
        <Link
          className="button button-small"
          to={paths.trace(org, data.traceId, { root: id })}
          prefetch="none"
        >
          Only this and below
        </Link>
        <CopyButton text={id} what="the span's id" label="ID" />
        {detail && (
          <CopyButton
            text={() => JSON.stringify(detail, undefined, 2)}
            what="the span as JSON"
            label="JSON"
          />
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
      <KeyValues caption="About the span" rows={Object.entries(about)} />
      {detail ? (
        <Attributes key={id} attributes={detail.attributes} />
      ) : (
        <p className="muted" role="status">
          {fetched.state === 'failed'
            ? 'Its attributes could not be had: choose it again.'
            : 'Its attributes are being fetched.'}
        </p>
      )}
    </section>
  )
}

const REMARKS: Readonly<Record<string, string>> = {
  end_before_start: 'it was sent with an end before its start: its length is taken to be none',
  own_parent: 'it was sent as its own parent',
  attributes_cut: 'it was sent with more attributes than are kept',
}

function Usual({
  usual,
  durationMs,
}: {
  readonly usual: NonNullable<SpanData['usual']>
  readonly durationMs: number
}) {
  const { isSlow, text } = slownessText(durationMs, usual)
  const title = `Of ${formatExact(usual.count)} such spans in seven days half took up to ${formatDuration(usual.p50Ms)}, 95 % up to ${formatDuration(usual.p95Ms)}`
  return (
    <span className={isSlow ? 'span-slow' : 'muted'} title={title}>
      {text}
    </span>
  )
}

/** From this many on they can be searched. */
const MANY = 8

function Attributes({ attributes }: Pick<SpanData, 'attributes'>) {
  const [text, setText] = useState('')
  const all = Object.entries(attributes).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const wanted = text.trim().toLowerCase()
  const shown = all.filter(([key, value]) => `${key} ${value}`.toLowerCase().includes(wanted))
  if (all.length === 0) return <p className="muted">It was sent without attributes.</p>
  return (
    <>
      {all.length >= MANY && (
        <input
          type="search"
          className="input span-panel-find"
          placeholder={`Find in ${formatExact(all.length)} attributes`}
          aria-label="Find attributes"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      )}
      {shown.length === 0 ? (
        <p className="muted">No attribute has “{text}”.</p>
      ) : (
        <KeyValues caption="Attributes" rows={shown} />
      )}
    </>
  )
}
