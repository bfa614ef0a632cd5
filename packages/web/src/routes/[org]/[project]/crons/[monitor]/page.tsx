import '../../../../../parts/forms/settings.css'
import '../../../../../parts/performance/performance.css'
import '../../../../../parts/figures/status.css'
import '../crons.css'
import { type DataOf, Form, Link, usePageData, useParams } from '@sonde/router'
import { formatDuration } from '../../../../../format/format-time.ts'
import { SavedNotice } from '../../../../../parts/forms/saved-notice.tsx'
import { usePaths } from '../../../../../shell/use-paths.ts'
import { Section, TableFrame } from '../../../../../ui/section.tsx'
import { Ago, ExactTime } from '../../../../../ui/time.tsx'
import { UserText } from '../../../../../ui/user-text.tsx'
import { SendCheckIns } from '../send-check-ins.tsx'
import { FlagBadges, StateBadge } from '../state-badge.tsx'
import { UpcomingList } from '../upcoming-list.tsx'
import { DurationChart } from './duration-chart.tsx'
import type { load } from './page.server.ts'
import { RunTable } from './run-table.tsx'

type Data = DataOf<typeof load>
export const title = ({ monitor }: Data): string => `${monitor.name} · Cron monitors · Sonde`

export default function Cron() {
  const data = usePageData<typeof load>()
  const { org, project } = useParams<'org' | 'project'>()
  const kept = usePaths()
  const { monitor, schedule, upcoming, durations, door, environments, mayWrite } = data
  return (
    <div className="page">
      <p className="muted">
        <Link className="text-link" to={kept.crons(org, project)}>
          Cron monitors
        </Link>
      </p>
      <div className="page-head">
        <h1>
          <UserText text={monitor.name} />
        </h1>
        <FlagBadges {...monitor} />
        {mayWrite && <MonitorButtons monitor={monitor} />}
      </div>
      <SavedNotice />
      <ScheduleFacts monitor={monitor} schedule={schedule} />
      <Environments monitor={monitor} environments={environments} />
      {upcoming.length > 0 && (
        <Section id="upcoming" title="Next runs">
          <UpcomingList runs={upcoming} zone={schedule.zone} />
        </Section>
      )}
      <Section id="durations" title="Duration">
        <DurationChart runs={durations} />
      </Section>
      <Incidents incidents={data.incidents} />
      <RunTable {...data} />
      {door && (
        <Section id="check-ins" title="Send check-ins">
          <details className="key-fold" open={environments.length === 0 || undefined}>
            <summary>Code for JavaScript, Python and curl</summary>
            <SendCheckIns {...door} slug={monitor.slug} isNew={false} />
          </details>
        </Section>
      )}
    </div>
  )
}

function MonitorButtons({ monitor: { id, isMuted, isEnabled } }: Pick<Data, 'monitor'>) {
  const { org, project } = useParams<'org' | 'project'>()
  const kept = usePaths()
  return (
    <div className="cron-buttons">
      <Link className="button button-small" to={kept.editCron(org, project, id)}>
        Edit
      </Link>
      <SwitchButton does={isMuted ? 'unmute' : 'mute'} name={isMuted ? 'Unmute' : 'Mute'} />
      <SwitchButton does={isEnabled ? 'disable' : 'enable'} name={isEnabled ? 'Disable' : 'Enable'} />
      <details className="key-fold">
        <summary>Delete…</summary>
        <Form className="danger">
          <p>Its runs go, incidents are kept. A check-in with a monitor_config creates it anew.</p>
          <button type="submit" className="button button-small button-danger" name="does" value="delete">
            Delete monitor
          </button>
        </Form>
      </details>
    </div>
  )
}

function SwitchButton({ does, name }: { readonly does: string; readonly name: string }) {
  return (
    <Form>
      <button type="submit" className="button button-small" name="does" value={does}>
        {name}
      </button>
    </Form>
  )
}

function ScheduleFacts({ monitor, schedule }: Pick<Data, 'monitor' | 'schedule'>) {
  const { words, crontab, checkinMargin, maxRuntime, failureIssueThreshold, recoveryThreshold } = schedule
  return (
    <div className="cron-facts">
      <p className="cron-about">
        {words} {crontab !== '' && <code>{crontab}</code>}
      </p>
      <p className="muted cron-about">
        <UserText text={monitor.slug} />: missed {minutes(checkinMargin)} after its time, timed out after{' '}
        {minutes(maxRuntime)}. Failing after {runs(failureIssueThreshold)} that failed, recovered after{' '}
        {runs(recoveryThreshold)} that {recoveryThreshold === 1 ? 'was' : 'were'} OK.
      </p>
    </div>
  )
}

const minutes = (count: number): string => `${count} min`
const runs = (count: number): string => (count === 1 ? '1 run' : `${count} runs in a row`)

function Environments({ monitor, environments }: Pick<Data, 'monitor' | 'environments'>) {
  const { org, project } = useParams<'org' | 'project'>()
  const kept = usePaths()
  if (environments.length === 0) return <p className="muted">Waits for its first check-in.</p>
  return (
    <TableFrame label="Environments">
      <table className="perf-table">
        <thead>
          <tr>
            <th scope="col">Environment</th>
            <th scope="col">State</th>
            <th scope="col">Since</th>
            <th scope="col">Last check-in</th>
            <th scope="col">Next expected</th>
            <th scope="col">Incident</th>
          </tr>
        </thead>
        <tbody>
          {environments.map((environment) => (
            <tr key={environment.id}>
              <th scope="row" className="cron-environment">
                <UserText text={environment.name} />
              </th>
              <td>
                <StateBadge {...environment} />
              </td>
              <td>{environment.state === 'new' ? '–' : <Ago atMs={environment.sinceMs} />}</td>
              <td>{environment.checkedMs === null ? 'Never' : <Ago atMs={environment.checkedMs} />}</td>
              <td>
                {environment.nextMs === null ? (
                  <span className="muted">{monitor.isEnabled ? 'None' : 'Disabled'}</span>
                ) : (
                  <ExactTime atMs={environment.nextMs} />
                )}
              </td>
              <td>
                {environment.isFailing && environment.incidentId !== null ? (
                  <Link to={kept.incident(org, project, environment.incidentId)}>Open incident</Link>
                ) : (
                  '–'
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  )
}

function Incidents({ incidents }: Pick<Data, 'incidents'>) {
  const { org, project } = useParams<'org' | 'project'>()
  const kept = usePaths()
  return (
    <Section id="incidents" title="Incidents">
      {incidents.length === 0 ? (
        <p className="muted">It never failed.</p>
      ) : (
        <ul className="cron-incidents">
          {incidents.map(({ id, startedMs, resolvedMs, reason }) => (
            <li key={id}>
              <Link className="text-link" to={kept.incident(org, project, id)}>
                <ExactTime atMs={startedMs} />
              </Link>{' '}
              {resolvedMs === undefined ? (
                <strong>open</strong>
              ) : (
                <span className="muted">for {formatDuration(resolvedMs - startedMs)}</span>
              )}
              , <UserText text={reason} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
