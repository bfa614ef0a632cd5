import '../../../../../../charts/charts.css'
import '../../../../../../parts/forms/settings.css'
import '../../alerts.css'
import { type DataOf, Form, Link, usePageData, useParams } from '@sonde/router'
import { TimeChart } from '../../../../../../charts/time-chart.tsx'
import { SavedNotice } from '../../../../../../parts/forms/saved-notice.tsx'
import { VerdictBadge } from '../../../../../../parts/releases/verdict-badge.tsx'
import { paths } from '../../../../../../paths.ts'
import { addressText } from '../../../../../../shell/time-range.ts'
import { Section } from '../../../../../../ui/section.tsx'
import { Ago, ExactTime } from '../../../../../../ui/time.tsx'
import { UserText } from '../../../../../../ui/user-text.tsx'
import { MetricChart } from '../../metric-chart.tsx'
import { useBackKey } from '../../use-alert-keys.ts'
import { IncidentState } from '../incident-state.tsx'
import { IncidentRule } from './incident-rule.tsx'
import { judgedWords, triggerWords } from './incident-words.ts'
import { Involved } from './involved.tsx'
import { Notes } from './notes.tsx'
import type { load } from './page.server.ts'
import { Told } from './told.tsx'

export const title = (data: unknown): string =>
  `${(data as DataOf<typeof load>).incident.ruleName} · Incident · Sonde`

export default function Incident() {
  const { incident, owner, about, told, notes, mayWrite } = usePageData<typeof load>()
  const { org, project } = useParams<'org' | 'project'>()
  useBackKey(paths.incidents(org, project, { state: 'open' }))
  const { issue, ruleName, startedMs } = incident
  return (
    <div className="page">
      <p className="muted">
        <Link to={paths.incidents(org, project, { state: 'open' })}>Incidents</Link>
      </p>
      <div className="page-head">
        <h1>
          <UserText text={issue === undefined ? ruleName : issue.title} />{' '}
          <IncidentState incident={incident} />
        </h1>
      </div>
      <SavedNotice />
      {mayWrite && incident.resolvedMs === undefined && (
        <Form className="alert-buttons incident-buttons">
          {incident.acknowledgedMs === undefined && (
            <button type="submit" className="button button-primary" name="does" value="acknowledge">
              Acknowledge
            </button>
          )}
          <button type="submit" className="button" name="does" value="resolve">
            Resolve
          </button>
        </Form>
      )}
      <dl className="incident-facts">
        <IncidentRule incident={incident} about={about} />
        <div>
          <dt>What</dt>
          <dd>
            {about.kind === 'monitor' && <UserText text={about.reason} />}
            {about.kind === 'release' && (
              <>
                <VerdictBadge verdict={about.verdict} /> <UserText text={about.sentence} />{' '}
                <Link to={`${paths.release(org, project, about.release)}#verdict`}>Verdict now</Link>
              </>
            )}
            {about.kind === 'issue' && triggerWords(about.trigger)}
            {about.kind === 'metric' && judgedWords(about.rule, about.value, about.threshold)}
            {issue !== undefined && (
              <>
                {' '}
                <Link to={paths.issue(org, project, issue.shortId)}>{issue.shortId}</Link>
              </>
            )}
          </dd>
        </div>
        {owner !== '' && (
          <div>
            <dt>Owner</dt>
            <dd>
              <UserText text={owner} />
            </dd>
          </div>
        )}
        <div>
          <dt>Began</dt>
          <dd>
            <ExactTime atMs={startedMs} />{' '}
            <span className="muted">
              (<Ago atMs={startedMs} />)
            </span>
          </dd>
        </div>
        {incident.acknowledgedMs !== undefined && (
          <div>
            <dt>Acknowledged</dt>
            <dd>
              <Ago atMs={incident.acknowledgedMs} /> by <UserText text={incident.acknowledgedBy} />
            </dd>
          </div>
        )}
        {incident.resolvedMs !== undefined && (
          <div>
            <dt>Resolved</dt>
            <dd>
              <Ago atMs={incident.resolvedMs} />{' '}
              {incident.resolvedBy === 'rule' ? (
                'by itself'
              ) : (
                <>
                  by <UserText text={incident.resolvedBy} />
                </>
              )}
            </dd>
          </div>
        )}
      </dl>
      {about.kind === 'issue' && about.events && issue !== undefined && (
        <TimeChart
          title="Events"
          noun={['event', 'events']}
          series={about.events}
          zoomTo={({ fromMs, toMs }) =>
            `${paths.issue(org, project, issue.shortId)}?start=${encodeURIComponent(addressText(fromMs))}&end=${encodeURIComponent(addressText(toMs))}`
          }
        />
      )}
      {about.kind === 'metric' && about.trouble !== undefined && (
        <p className="field-error">
          The chart can’t be drawn: <UserText text={about.trouble} />
        </p>
      )}
      {about.kind === 'metric' && about.involved && (
        <>
          <MetricChart rule={about.rule} chart={about.involved.chart} markers={about.involved.markers} />
          <Involved {...about.involved} metric={about.rule.metric} />
        </>
      )}
      {about.kind === 'release' && about.measures.length > 0 && (
        <Section id="measures" title="Measures then">
          <ul>
            {[...about.measures, ...about.absent].map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </Section>
      )}
      <Section id="told" title="Who was told">
        <Told told={told} mayWrite={mayWrite} />
      </Section>
      <Section id="notes" title="Notes">
        <Notes notes={notes} mayWrite={mayWrite} />
      </Section>
    </div>
  )
}
