/** What a detector found: which spans, how often, how long, from what on, where it happened, and what helps. */
import './evidence.css'
import type { NormalizedEvent } from '@sonde/protocol/event'
import { DETECTORS } from '@sonde/protocol/performance-detectors'
import { Link, useParams } from '@sonde/router'
import type { ReactNode } from 'react'
import { countOf, formatBytes } from '../../format/format-count.ts'
import { formatDuration } from '../../format/format-time.ts'
import { paths } from '../../paths.ts'
import { Section, TableFrame } from '../../ui/section.tsx'
import { LongText, UserText } from '../../ui/user-text.tsx'
import type { Evidence, EvidenceSpan } from './evidence.ts'
import { HungFacts } from './hung-facts.tsx'

type Props = {
  readonly evidence: Evidence
  readonly event: Pick<NormalizedEvent, 'transaction'>
  readonly traceId: string | undefined
}

export function EvidenceSection({ evidence, event, traceId }: Props) {
  const { org, project } = useParams() as { org: string; project?: string }
  const { type, description, times, totalMs, savedMs, parent, parentSpanId, spans, thresholds, navigation } =
    evidence
  const { name, advice } = DETECTORS[type]
  const [first] = spans
  return (
    <Section
      id="evidence"
      title="Evidence"
      note={name}
      actions={
        traceId !== undefined &&
        first && (
          <Link className="button button-small" to={paths.trace(org, traceId, first.spanId)} prefetch="none">
            View in trace
          </Link>
        )
      }
    >
      <p className="evidence-advice">{advice}</p>
      <p className="evidence-what">
        <code>
          <LongText text={description} max={400} />
        </code>
      </p>
      {navigation && <HungFacts navigation={navigation} waitedMs={totalMs} />}
      <dl className="evidence-facts">
        {!navigation && (
          <>
            <Fact name="Spans">{countOf(times, 'span')}</Fact>
            <Fact name="Total duration">{formatDuration(totalMs)}</Fact>
          </>
        )}
        {savedMs !== undefined && <Fact name="Could be saved">{formatDuration(savedMs)}</Fact>}
        {event.transaction !== undefined && (
          <Fact name="Route">
            <UserText text={event.transaction} />
          </Fact>
        )}
        {parent !== undefined && (
          <Fact name="Under">
            {traceId !== undefined && parentSpanId !== undefined ? (
              <Link to={paths.trace(org, traceId, parentSpanId)} prefetch="none">
                <UserText text={parent} />
              </Link>
            ) : (
              <UserText text={parent} />
            )}
          </Fact>
        )}
        {thresholds.length > 0 && (
          <Fact name="Found from">
            {thresholds.map(({ label, unit, inForce }) => `${label}: ${inUnit(unit, inForce)}`).join(' · ')}{' '}
            {project !== undefined && (
              <Link className="text-link" to={paths.detectors(org, project, type)}>
                Change
              </Link>
            )}
          </Fact>
        )}
      </dl>
      {spans.length > 0 && !navigation && <SpanTable evidence={evidence} traceId={traceId} />}
      {times > spans.length && (
        <p className="muted">
          The first {spans.length} of {countOf(times, 'span')}.
        </p>
      )}
    </Section>
  )
}

const inUnit = (unit: 'ms' | 'bytes' | 'count', value: number): string =>
  unit === 'ms' ? formatDuration(value) : unit === 'bytes' ? formatBytes(value) : String(value)

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function SpanTable({
  evidence,
  traceId,
}: {
  readonly evidence: Evidence
  readonly traceId: string | undefined
}) {
  const { org } = useParams<'org'>()
  const { spans, shownMs } = evidence
  return (
    <TableFrame label="Spans that were found">
      <table className="evidence-spans">
        <thead>
          <tr>
            <th scope="col">Span</th>
            <th scope="col" className="evidence-number num">
              After
            </th>
            <th scope="col" className="evidence-number num">
              Duration
            </th>
            <th scope="col">
              <span className="sr-only">When, beside the others</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {spans.map((span) => (
            <tr key={span.spanId}>
              <td className="evidence-name" title={span.description}>
                {traceId === undefined ? (
                  <UserText text={span.description} />
                ) : (
                  <Link to={paths.trace(org, traceId, span.spanId)} prefetch="none">
                    <UserText text={span.description === '' ? span.spanId : span.description} />
                  </Link>
                )}
              </td>
              <td className="evidence-number num">
                {span.afterMs === undefined ? '' : formatDuration(span.afterMs)}
              </td>
              <td className="evidence-number num">{formatDuration(span.durationMs)}</td>
              <td>
                <Bar span={span} shownMs={shownMs} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  )
}

function Bar({ span, shownMs }: { readonly span: EvidenceSpan; readonly shownMs: number }) {
  if (shownMs <= 0) return null
  const left = (100 * (span.afterMs ?? 0)) / shownMs
  const width = Math.max(0.5, (100 * span.durationMs) / shownMs)
  return (
    <svg className="evidence-bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      <rect x={Math.min(left, 99.5)} y="1" width={Math.min(width, 100 - Math.min(left, 99.5))} height="6" />
    </svg>
  )
}
