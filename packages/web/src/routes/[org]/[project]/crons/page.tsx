import '../../../../parts/forms/settings.css'
import '../../../../parts/performance/performance.css'
import '../../../../parts/figures/status.css'
import './crons.css'
import { type DataOf, Link, usePageData, useParams } from '@sonde/router'
import type { CronRunStatus } from '@sonde/stores'
import { SavedNotice } from '../../../../parts/forms/saved-notice.tsx'
import { usePaths } from '../../../../shell/use-paths.ts'
import { EmptyState, TableFrame } from '../../../../ui/section.tsx'
import { Ago, ExactTime } from '../../../../ui/time.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import type { ShownEnvironment } from './cron-words.ts'
import type { load } from './page.server.ts'
import { RunLine } from './run-line.tsx'
import { SendCheckIns } from './send-check-ins.tsx'
import { FlagBadges, StateBadge } from './state-badge.tsx'

type Data = DataOf<typeof load>
export const title = (): string => 'Cron monitors · Sonde'

export default function Crons() {
  const data = usePageData<typeof load>()
  const { org, project } = useParams<'org' | 'project'>()
  const kept = usePaths()
  const { mayWrite, hasMonitors, monitors } = data
  return (
    <div className="page">
      <div className="page-head">
        <h1>Cron monitors</h1>
        {mayWrite && hasMonitors && (
          <Link className="button button-primary cron-new" to={kept.newCron(org, project)}>
            New monitor
          </Link>
        )}
      </div>
      <SavedNotice />
      {monitors.length > 0 ? (
        <MonitorTable {...data} />
      ) : hasMonitors ? (
        <EmptyState title="No monitors in this environment">
          <p>Choose another environment above: a monitor has those from which check-ins came.</p>
        </EmptyState>
      ) : (
        <NoMonitors {...data} />
      )}
    </div>
  )
}

function NoMonitors({ mayWrite, door }: Pick<Data, 'mayWrite' | 'door'>) {
  const { org, project } = useParams<'org' | 'project'>()
  const kept = usePaths()
  return (
    <EmptyState title="No monitors yet" docs="monitors">
      <p>
        A scheduled job sends a check-in when it begins and when it ends. Sonde tells people when a run fails,
        is missed or takes too long.
      </p>
      {mayWrite && (
        <p>
          <Link className="button button-primary" to={kept.newCron(org, project)}>
            Create a monitor
          </Link>
        </p>
      )}
      {door && (
        <>
          <p>Or let the first check-in create it:</p>
          <SendCheckIns {...door} slug="nightly-job" isNew />
        </>
      )}
    </EmptyState>
  )
}

function MonitorTable({ monitors, runs, places }: Pick<Data, 'monitors' | 'runs' | 'places'>) {
  return (
    <TableFrame label="Cron monitors">
      <table className="perf-table cron-table">
        <thead>
          <tr>
            <th scope="col">Monitor</th>
            <th scope="col">Environment</th>
            <th scope="col">State</th>
            <th scope="col">Last runs</th>
            <th scope="col">Last check-in</th>
            <th scope="col">Next expected</th>
          </tr>
        </thead>
        {monitors.map((monitor) => (
          <MonitorRows key={monitor.id} monitor={monitor} runs={runs} places={places} />
        ))}
      </table>
    </TableFrame>
  )
}

type RowsProps = Pick<Data, 'runs' | 'places'> & { readonly monitor: Data['monitors'][number] }

function MonitorRows({ monitor, runs, places }: RowsProps) {
  const { org, project } = useParams<'org' | 'project'>()
  const kept = usePaths()
  const { id, name, slug, schedule, environments, more } = monitor
  const [first, ...others] = environments
  const to = kept.cron(org, project, id)
  return (
    <tbody>
      <tr>
        <th scope="rowgroup" className="cron-name" rowSpan={Math.max(1, environments.length)}>
          <Link to={to}>
            <UserText text={name} />
          </Link>{' '}
          <FlagBadges {...monitor} />
          {slug !== name && (
            <span className="muted cron-note">
              <UserText text={slug} />
            </span>
          )}
          <span className="muted cron-note">{schedule}</span>
          {more > 0 && (
            <Link className="cron-note" to={to}>
              {more} more {more === 1 ? 'environment' : 'environments'}
            </Link>
          )}
        </th>
        {first ? (
          <EnvironmentCells environment={first} runs={runs[first.id]} places={places} {...monitor} />
        ) : (
          <td colSpan={5} className="muted">
            Waits for its first check-in
          </td>
        )}
      </tr>
      {others.map((environment) => (
        <tr key={environment.id}>
          <EnvironmentCells
            environment={environment}
            runs={runs[environment.id]}
            places={places}
            {...monitor}
          />
        </tr>
      ))}
    </tbody>
  )
}

type CellsProps = {
  readonly environment: ShownEnvironment
  readonly runs: readonly CronRunStatus[] | undefined
  readonly places: number
  readonly isEnabled: boolean
}

function EnvironmentCells({ environment, runs = [], places, isEnabled }: CellsProps) {
  const { name, nextMs, checkedMs } = environment
  return (
    <>
      <td className="cron-environment">
        <UserText text={name} />
      </td>
      <td>
        <StateBadge {...environment} />
      </td>
      <td>
        <RunLine runs={runs} places={places} />
      </td>
      <td>{checkedMs === null ? <span className="muted">Never</span> : <Ago atMs={checkedMs} />}</td>
      <td>
        {nextMs === null ? (
          <span className="muted">{isEnabled ? 'None' : 'Disabled'}</span>
        ) : (
          <ExactTime atMs={nextMs} />
        )}
      </td>
    </>
  )
}
