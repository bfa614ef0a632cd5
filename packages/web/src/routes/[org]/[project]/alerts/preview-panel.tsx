import type { IssuePreview, MetricFiring, MetricPreview, MetricRule, ReleasePreview } from '@sonde/alerts'
import { valueText } from '@sonde/alerts/contract'
import { Link, useParams } from '@sonde/router'
import type { ComponentProps } from 'react'
import type { ChartMarker } from '../../../../charts/chart-series.ts'
import { TimeChart } from '../../../../charts/time-chart.tsx'
import { formatExact } from '../../../../format/format-count.ts'
import { VerdictBadge } from '../../../../parts/releases/verdict-badge.tsx'
import { paths } from '../../../../paths.ts'
import { addressText } from '../../../../shell/time-range.ts'
import { Badge } from '../../../../ui/badge.tsx'
import { ExactTime } from '../../../../ui/time.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import { MetricChart } from './metric-chart.tsx'
import { TRIGGER_WORDS } from './rule-words.ts'
import type { PastIncident, ShownTry } from './try-rule.server.ts'

/** What the rule of the form would have told in the last 14 days. */
export function PreviewPanel({ shown }: { readonly shown: ShownTry | 'unreached' }) {
  return (
    <section className="alert-preview" aria-labelledby="preview-title">
      <h2 id="preview-title" className="sr-only">
        Preview
      </h2>
      <p role="status" className="alert-would">
        {shown === 'unreached'
          ? 'Preview failed: the server could not be reached.'
          : shown.ok
            ? wouldHave(firedOf(shown))
            : shown.message}
      </p>
      {shown !== 'unreached' && shown.ok && shown.kind === 'issue' && (
        <IssueFirings {...shown.preview} past={shown.past ?? []} />
      )}
      {shown !== 'unreached' && shown.ok && shown.kind === 'metric' && (
        <>
          <MetricPast rule={shown.rule} chart={shown.preview} past={shown.past ?? []} />
          <MetricFirings {...shown.preview} rule={shown.rule} />
        </>
      )}
      {shown !== 'unreached' && shown.ok && shown.kind === 'release' && <ReleasesJudged {...shown.preview} />}
      {shown !== 'unreached' && shown.ok && <PastIncidents past={shown.past ?? []} />}
    </section>
  )
}

function firedOf(shown: Extract<ShownTry, { ok: true }>): number {
  if (shown.kind === 'issue') return shown.preview.total
  return shown.kind === 'metric' ? shown.preview.fired : shown.preview.told
}

const wouldHave = (times: number): string =>
  times === 0
    ? 'Would not have fired in the last 14 days.'
    : `Would have fired ${times === 1 ? 'once' : `${formatExact(times)} times`} in the last 14 days.`

type Past = { readonly past: readonly PastIncident[] }

const incidentName = ({ id, issue }: PastIncident): string => issue ?? `Incident ${id}`

function useIncidentMarkers(past: readonly PastIncident[]): readonly ChartMarker[] {
  const { org, project } = useParams<'org' | 'project'>()
  return past.map((each) => ({
    incident: incidentName(each),
    href: paths.incident(org, project, each.id),
    atMs: each.atMs,
  }))
}

function MetricPast({ past, ...chart }: Past & Omit<ComponentProps<typeof MetricChart>, 'markers'>) {
  return <MetricChart {...chart} markers={useIncidentMarkers(past)} />
}

/** What it really told in that time, as it was then. */
function PastIncidents({ past }: Past) {
  const { org, project } = useParams<'org' | 'project'>()
  if (past.length === 0) return null
  return (
    <details className="key-fold">
      <summary>
        {past.length === 1 ? '1 incident' : `${past.length} incidents`} of this rule meanwhile
      </summary>
      <ul className="alert-fired">
        {past.map((each) => (
          <li key={each.id}>
            <ExactTime atMs={each.atMs} />
            <Link to={paths.incident(org, project, each.id)} prefetch="intent">
              {incidentName(each)}
            </Link>
            <span className="muted">{each.endMs === null ? 'open' : lengthText(each.endMs - each.atMs)}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}

/** The newest releases, with what they would have been judged. */
function ReleasesJudged({ judged }: ReleasePreview) {
  if (judged.length === 0)
    return <p className="muted">No release began in the last 14 days, or none long enough ago.</p>
  return (
    <ul className="alert-fired">
      {judged.map(({ release, atMs, verdict, sentence, isTold }) => (
        <li key={release}>
          <ExactTime atMs={atMs} />
          <VerdictBadge verdict={verdict} />
          <UserText text={sentence} />
          <span className="muted">{isTold ? 'told' : 'not told'}</span>
        </li>
      ))}
    </ul>
  )
}

function IssueFirings({ firings, total, past, ...series }: IssuePreview & Past) {
  const { org, project } = useParams<'org' | 'project'>()
  const markers = useIncidentMarkers(past)
  return (
    <>
      <TimeChart
        title="Incidents"
        noun={['incident', 'incidents']}
        series={{ ...series, total, markers }}
        zoomTo={({ fromMs, toMs }) =>
          paths.issues(org, project, { query: '', start: addressText(fromMs), end: addressText(toMs) })
        }
      />
      <ul className="alert-fired">
        {firings.map(({ atMs, kind, count, issue }) => (
          <li key={`${issue.id} ${atMs}`}>
            <ExactTime atMs={atMs} />
            <Badge>{TRIGGER_WORDS[kind]}</Badge>
            <Link to={paths.issue(org, project, issue.shortId)} prefetch="intent">
              {issue.shortId}
            </Link>
            <UserText text={issue.title} />
            {count !== null && <span className="muted">{formatExact(count)}</span>}
          </li>
        ))}
      </ul>
      {firings.length < total && <p className="muted">The newest {firings.length} are shown.</p>}
    </>
  )
}

type MetricFiringsProps = Pick<MetricPreview, 'firings' | 'fired'> & {
  readonly rule: Pick<MetricRule, 'metric' | 'compare'>
}

function MetricFirings({ firings, fired, rule: { metric, compare } }: MetricFiringsProps) {
  const text = ({ value }: MetricFiring): string =>
    value === null ? '' : compare === 'change' ? `${Math.round(value)} %` : valueText(metric, value)
  return (
    <>
      <ul className="alert-fired">
        {firings.map((firing) => (
          <li key={firing.atMs}>
            <ExactTime atMs={firing.atMs} />
            <span>{text(firing)}</span>
            <span className="muted">
              {firing.endMs === null ? 'would still last' : lengthText(firing.endMs - firing.atMs)}
            </span>
          </li>
        ))}
      </ul>
      {firings.length < fired && <p className="muted">The newest {firings.length} are shown.</p>}
    </>
  )
}

function lengthText(ms: number): string {
  const minutes = Math.round(ms / 60_000)
  return minutes < 120 ? `for ${minutes} min` : `for ${Math.round(minutes / 60)} h`
}
