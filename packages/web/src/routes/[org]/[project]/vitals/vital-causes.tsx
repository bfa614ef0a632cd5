import { type VitalName, vitalRating } from '@sonde/protocol/web-vitals'
import type { VitalPart, VitalParts as Parts } from '@sonde/queries'
import { MIN_RATED_VISITS } from '@sonde/queries/contract'
import type { ReactNode } from 'react'
import { countOf } from '../../../../format/format-count.ts'
import { formatDuration } from '../../../../format/format-time.ts'
import { ExtrapolatedCount } from '../../../../parts/performance/extrapolated-count.tsx'
import { ScriptPlace } from '../../../../parts/scripts/script-place.tsx'
import { SplitBar } from '../../../../parts/split-bar.tsx'
import { RATING_WORDS, vitalText } from '../../../../parts/vitals/vital-words.ts'
import { Section } from '../../../../ui/section.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import type { CausesShown } from './page.server.ts'

const ELEMENTS: Readonly<Partial<Record<VitalName, string>>> = {
  lcp: 'LCP elements',
  inp: 'Interaction targets',
  cls: 'Shifting elements',
}
const SOURCES: Readonly<Partial<Record<VitalName, string>>> = {
  lcp: 'LCP resources',
  inp: 'Longest scripts during the interaction',
}

type Props = CausesShown & {
  readonly org: string
  readonly project: string
  readonly name: VitalName
}
type Figures = {
  readonly p75: number
  readonly samples: number
  readonly count: number
  readonly bad: number
}

/** Elements and scripts by the page views that they kept from a good rating. Nothing when the SDK reported none. */
export function VitalCauses({ org, project, name, elements, sources }: Props) {
  const [ofElements, ofSources] = [ELEMENTS[name], SOURCES[name]]
  return (
    <div className="vital-causes">
      {ofElements !== undefined && elements.length > 0 && (
        <Section id="elements" title={ofElements} note="ranked by page views that were not good">
          <CauseTable
            name={name}
            head="Element"
            rows={elements.map((row) => ({
              ...row,
              key: row.element,
              what: <UserText text={row.element} className="vital-code" />,
            }))}
          />
        </Section>
      )}
      {ofSources !== undefined && sources.length > 0 && (
        <Section id="scripts" title={ofSources} note="ranked by page views that were not good">
          <CauseTable
            name={name}
            head={name === 'inp' ? 'Script' : 'File'}
            rows={sources.map((row) => ({
              ...row,
              key: JSON.stringify(row.script),
              what: <ScriptPlace org={org} project={project} script={row.script} />,
            }))}
          />
        </Section>
      )}
    </div>
  )
}

type Row = Figures & { readonly key: string; readonly what: ReactNode }

function CauseTable({ name, head, rows }: { name: VitalName; head: string; rows: readonly Row[] }) {
  return (
    <div className="perf-scroll" role="region" aria-label={`${head}s`} tabIndex={0}>
      <table className="perf-table">
        <thead>
          <tr>
            <th scope="col">{head}</th>
            <th scope="col" className="col-num">
              p75
            </th>
            <th scope="col" className="col-num" title="Page views where it determined the value">
              Page views
            </th>
            <th scope="col" className="col-num" title="Of these, rated needs improvement or poor">
              Not good
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, what, p75, samples, count, bad }) => (
            <tr key={key}>
              <th scope="row" className="perf-name">
                {what}
              </th>
              <td className="col-num">
                <RatedValue name={name} value={p75} samples={samples} />
              </td>
              <td className="col-num">
                <ExtrapolatedCount count={count} samples={samples} noun="page view" />
              </td>
              <td className="col-num">
                <ExtrapolatedCount
                  count={bad}
                  samples={Math.round((bad * samples) / count)}
                  noun="page view"
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** The sub-parts of LCP and INP. https://web.dev/articles/optimize-lcp https://web.dev/articles/optimize-inp */
const WORDS: Readonly<Record<VitalPart, { readonly name: string; readonly about: string }>> = {
  time_to_first_byte: { name: 'TTFB', about: 'until the first byte of the response' },
  resource_load_delay: { name: 'Resource load delay', about: 'until the resource was requested' },
  resource_load_duration: { name: 'Resource load duration', about: 'until the resource had loaded' },
  element_render_delay: {
    name: 'Element render delay',
    about: 'until it rendered: blocked by scripts and styles',
  },
  input_delay: { name: 'Input delay', about: 'until event handlers started: other scripts ran' },
  processing_duration: { name: 'Processing duration', about: 'event handlers of the page' },
  presentation_delay: { name: 'Presentation delay', about: 'until the next frame was painted' },
}

/** The breakdown of page views around the 75th percentile. */
export function VitalParts({ parts, samples, reportedBy }: Parts) {
  const longest = parts.reduce((a, b) => (b.ms > a.ms ? b : a))
  const label = parts.map(({ part, ms }) => `${WORDS[part].name} ${formatDuration(ms)}`).join(', ')
  return (
    <div className="vital-parts">
      <p>
        Dominated by <strong>{WORDS[longest.part].name}</strong>: {formatDuration(longest.ms)}{' '}
        <span className="muted">
          mean of {countOf(samples, 'page view')} around the 75th percentile, of{' '}
          {countOf(reportedBy, 'page view')} with a breakdown
        </span>
      </p>
      <SplitBar
        label={label}
        parts={parts.map(({ ms }, index) => ({ className: `vital-part-${index}`, value: ms }))}
      />
      <dl>
        {parts.map(({ part, ms }, index) => (
          <div key={part}>
            <dt>
              <svg viewBox="0 0 1 1" className="vital-part-key" aria-hidden="true">
                <rect className={`vital-part-${index}`} width="1" height="1" />
              </svg>{' '}
              {WORDS[part].name}
            </dt>
            <dd>
              <span className="num">{formatDuration(ms)}</span>{' '}
              <span className="muted">{WORDS[part].about}</span>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

type RatedProps = { readonly name: VitalName; readonly value: number; readonly samples: number }

/** A percentile with its rating, or without one when there is too little data. */
export function RatedValue({ name, value, samples }: RatedProps) {
  if (samples < MIN_RATED_VISITS) {
    return (
      <span className="num muted" title={`${samples} of ${MIN_RATED_VISITS} page views that a rating needs`}>
        {vitalText(name, value)} <span className="vital-rating">low n</span>
      </span>
    )
  }
  const rating = vitalRating(name, value)
  return (
    <span className={`num vital-${rating}`}>
      {vitalText(name, value)} <span className="vital-rating">{RATING_WORDS[rating]}</span>
    </span>
  )
}
