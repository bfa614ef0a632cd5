/** One line of the waterfall: a span, a group of equal spans, a gap, or a link to spans that are not shown. */
import { Link } from '@sonde/router'
import { memo, type MouseEvent, type ReactNode } from 'react'
import { countOf, formatExact } from '../../../../format/format-count.ts'
import { formatDuration } from '../../../../format/format-time.ts'
import { hasFlag, type TraceRows } from '../../../../parts/trace/packed-trace.ts'
import { titleOf } from '../../../../ui/user-text.tsx'
import { LineBar, type Stretch } from './time-track.tsx'
import type { TimeWindow } from './trace-time.ts'
import type { Line } from './visible-lines.ts'

export type LineErrors = { readonly atMs: readonly number[]; readonly href: string; readonly title: string }
export type LineContext = {
  readonly rows: TraceRows
  readonly window: TimeWindow
  readonly critical: ReadonlyMap<number, readonly Stretch[]>
  readonly errors: ReadonlyMap<number, LineErrors>
  /** The address of the page with the span chosen, and with its part of the trace alone. */
  readonly spanHref: (row: number) => string
  readonly partHref: (row: number) => string
}
type Props = {
  readonly line: Line
  readonly index: number
  readonly context: LineContext
  readonly isActive: boolean
  readonly isChosen: boolean
  readonly isMatch: boolean
  readonly text: string
  readonly onToggle: (line: Line, isOpen: boolean) => void
  readonly onChoose: (line: Line) => void
}

export const lineId = (key: string): string => `line-${key}`

export const WaterfallLine = memo(function WaterfallLine(props: Props) {
  const { line, index, context, isActive, isChosen, isMatch, onToggle, onChoose } = props
  const { name, bar, time } = partsOf(props)
  return (
    <div
      id={lineId(line.key)}
      role="row"
      className={[
        'span-row',
        isMatch && 'is-match',
        isActive && 'is-active',
        line.kind === 'span' && isOutside(context, line.row) && 'is-outside',
      ]
        .filter(Boolean)
        .join(' ')}
      aria-rowindex={index + 2}
      aria-level={line.depth + 1}
      aria-expanded={line.isOpen}
      aria-selected={isChosen}
      onClick={(event) => {
        if (!isHandled(event)) onChoose(line)
      }}
    >
      <div role="gridcell" className={`span-name indent-${Math.min(line.depth, MAX_INDENT)}`}>
        {line.isOpen === undefined ? (
          <span className="span-fold" />
        ) : (
          <button
            type="button"
            className="span-fold"
            tabIndex={-1}
            aria-label={line.isOpen ? 'Collapse' : 'Expand'}
            onClick={() => onToggle(line, !line.isOpen)}
          >
            {line.isOpen ? '−' : '+'}
          </button>
        )}
        {name}
      </div>
      <div role="gridcell" className="span-track">
        {bar}
      </div>
      <div role="gridcell" className="span-time num">
        {time}
      </div>
    </div>
  )
})

const isOutside = ({ rows, window }: LineContext, row: number): boolean => {
  const startMs = rows.startsMs[row] ?? 0
  return startMs > window.toMs || startMs + (rows.durationsMs[row] ?? 0) < window.fromMs
}

const MAX_INDENT = 20
/** Ticks of a group: more than a bar has room for. */
const MAX_TICKS = 150

/** Links and buttons inside the line keep their own effect. */
function isHandled(event: MouseEvent): boolean {
  const target = event.target instanceof Element ? event.target.closest('a, button') : null
  return target !== null && !target.classList.contains('span-link')
}

type Parts = { readonly name: ReactNode; readonly bar: ReactNode; readonly time: ReactNode }

function partsOf(props: Props): Parts {
  const { line, context } = props
  switch (line.kind) {
    case 'span':
      return spanParts(line.row, props)
    case 'group':
      return groupParts(line.group, props)
    case 'gap': {
      const { gap } = line
      const took = formatDuration(gap.lengthMs)
      return {
        name: (
          <span className="span-gap-name" title={gap.isBare ? BARE : GAP}>
            {took} {gap.isBare ? 'without child spans' : 'uninstrumented'}
          </span>
        ),
        bar: <LineBar window={context.window} bars={[gap]} className="span-gap" />,
        time: <span className="muted">{took}</span>,
      }
    }
    case 'left-out':
      return {
        name: (
          <Link className="span-more" to={context.partHref(line.row)} prefetch="none">
            {countOf(line.spans, 'more child span')}
          </Link>
        ),
        bar: null,
        time: null,
      }
    default:
      return {
        name: (
          <span className="span-gap-name" title={ORPHANS}>
            Missing parent: {countOf(line.spans, 'orphan span')}
          </span>
        ),
        bar: null,
        time: null,
      }
  }
}

const GAP = 'No child span was active: application code, or a library without instrumentation'
const BARE =
  'Only the root span of this service was received. Check that its HTTP client, database and framework are instrumented.'
const ORPHANS =
  'The parent span was not sampled, has not arrived yet, or belongs to an organization you have no access to'

function spanParts(row: number, { context, text, line, onChoose, isChosen }: Props): Parts {
  const { rows, window, critical, errors } = context
  const [op = '', name = '', startMs = 0, durationMs = 0] = [
    rows.ops[row],
    rows.names[row],
    rows.startsMs[row],
    rows.durationsMs[row],
  ]
  const isFailed = hasFlag(rows, row, 'failed')
  const own = errors.get(row)
  const took = formatDuration(durationMs)
  const defect = (['cycle', 'duplicate-id'] as const).find((flag) => hasFlag(rows, row, flag))
  const hue = `hue-${(rows.services[row] ?? 0) % HUES}`
  return {
    name: (
      <>
        <span className={`service-dot ${hue}`} />
        <a
          className="span-link"
          href={context.spanHref(row)}
          tabIndex={-1}
          title={`${op} ${titleOf(name)}, ${took}, starts at +${formatDuration(startMs)}`}
          aria-current={isChosen || undefined}
          onClick={(event) => {
            if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) {
              event.stopPropagation()
              return
            }
            event.preventDefault()
            event.stopPropagation()
            onChoose(line)
          }}
        >
          <span className="perf-op">
            <Marked text={op} part={text} />
          </span>{' '}
          <bdi>
            <Marked text={name} part={text} />
          </bdi>
        </a>
        {isFailed && <span className="span-badge perf-bad">failed</span>}
        {defect && <span className="span-badge span-defect">{DEFECTS[defect]}</span>}
        {own && (
          <Link
            className="span-badge span-errors"
            to={own.href}
            prefetch="none"
            title={titleOf(own.title)}
            tabIndex={-1}
          >
            {countOf(own.atMs.length, 'error')}
          </Link>
        )}
      </>
    ),
    bar: (
      <LineBar
        window={window}
        bars={[{ fromMs: startMs, lengthMs: durationMs }]}
        className={isFailed ? 'span-failed' : hue}
        critical={critical.get(row)}
        errorsMs={own?.atMs}
      />
    ),
    time: critical.has(row) ? <strong title="On the critical path">{took}</strong> : took,
  }
}

export const HUES = 6
const DEFECTS = { cycle: 'circular parent', 'duplicate-id': 'duplicate span ID' } as const

function groupParts(group: Extract<Line, { kind: 'group' }>['group'], { context, text }: Props): Parts {
  const { rows, window } = context
  const hue = `hue-${(rows.services[group.id] ?? 0) % HUES}`
  const failed = group.rows.filter((row) => hasFlag(rows, row, 'failed')).length
  return {
    name: (
      <>
        <span className={`service-dot ${hue}`} />
        <span className="span-group-name" title={titleOf(group.name)}>
          <strong>{formatExact(group.rows.length)} ×</strong>{' '}
          <span className="perf-op">
            <Marked text={group.op} part={text} />
          </span>{' '}
          <bdi>
            <Marked text={group.name} part={text} />
          </bdi>
        </span>
        {group.isNPlusOne && (
          <span
            className="span-badge span-defect"
            title="Possible N+1: these ran sequentially. Consider batching them into one query."
          >
            N+1?
          </span>
        )}
        {failed > 0 && <span className="span-badge perf-bad">{formatExact(failed)} failed</span>}
      </>
    ),
    bar: (
      <LineBar
        window={window}
        bars={group.rows
          .filter((_, at) => at % Math.ceil(group.rows.length / MAX_TICKS) === 0)
          .map((row) => ({ fromMs: rows.startsMs[row] ?? 0, lengthMs: rows.durationsMs[row] ?? 0 }))}
        className={hue}
        critical={group.rows.flatMap((row) => context.critical.get(row) ?? [])}
      />
    ),
    time: (
      <span title={`Total duration, within ${formatDuration(group.lastsMs)} from first start to last end`}>
        Σ {formatDuration(group.totalMs)}
      </span>
    ),
  }
}

/** Marks the first place that matches the search. */
function Marked({ text, part }: { readonly text: string; readonly part: string }) {
  const wanted = part.trim().toLowerCase()
  const at = wanted === '' ? -1 : text.toLowerCase().indexOf(wanted)
  if (at < 0) return text
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, at + wanted.length)}</mark>
      {text.slice(at + wanted.length)}
    </>
  )
}
