import '../../../../styles/performance.css'
import { type DataOf, Link, usePageData, useParams } from '@sonde/router'
import { countOf } from '../../../../format/format-count.ts'
import { formatDuration } from '../../../../format/format-duration.ts'
import { paths } from '../../../../paths.ts'
import { SpanPanel } from '../../../../trace/span-panel.tsx'
import { TraceVitals } from '../../../../trace/trace-vitals.tsx'
import { Waterfall } from '../../../../trace/waterfall.tsx'
import { Level } from '../../../../ui/level.tsx'
import { Section } from '../../../../ui/section.tsx'
import { ExactTime } from '../../../../ui/time.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import type { load } from './page.server.ts'

export const title = ({ traceId }: DataOf<typeof load>): string => `Trace ${traceId.slice(0, 8)} · Sonde`

export default function TracePage() {
  const trace = usePageData<typeof load>()
  const { org } = useParams<'org' | 'trace'>()
  const { rows, errors, span, vitals, projects } = trace
  return (
    <div className="page page-wide">
      <h1>
        Trace <code>{trace.traceId}</code>
      </h1>
      <p className="trace-facts">
        <span>{countOf(trace.spanCount, 'span')}</span>
        <span>{formatDuration(trace.lengthMs)}</span>
        <ExactTime atMs={trace.beginMs} />
        <span>
          in <bdi>{projects.map(({ slug }) => slug).join(', ')}</bdi>
        </span>
      </p>
      <TraceVitals vitals={vitals} />
      {errors.length > 0 && (
        <Section id="errors" title={countOf(errors.length, 'error')}>
          <ul className="trace-errors">
            {errors.map((error) => (
              <li key={error.eventId}>
                <Level level={error.level} />{' '}
                <Link to={paths.event(org, error.project, String(error.issueId), error.eventId)}>
                  <UserText text={error.title} />
                </Link>
              </li>
            ))}
          </ul>
        </Section>
      )}
      {rows.length === 0 ? (
        <p className="muted">No span of this trace is stored; only the errors are.</p>
      ) : (
        <Waterfall
          rows={rows}
          lengthMs={trace.lengthMs}
          chosen={span?.spanId}
          linkTo={(id) => paths.trace(org, trace.traceId, id)}
        />
      )}
      {trace.isCut && (
        <p className="muted">Only the first {countOf(rows.length, 'span')} are shown; the API gives more.</p>
      )}
      {span && <SpanPanel span={span} />}
    </div>
  )
}
