import '../../../../parts/figures/status.css'
import '../../../../parts/forms/settings.css'
import '../../../../parts/performance/performance.css'
import './uptime.css'
import { type DataOf, Link, usePageData, useParams } from '@sonde/router'
import { SavedNotice } from '../../../../parts/forms/saved-notice.tsx'
import { paths } from '../../../../paths.ts'
import { EmptyState, TableFrame } from '../../../../ui/section.tsx'
import { Ago } from '../../../../ui/time.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import type { load } from './page.server.ts'
import { Share } from './share.tsx'
import { StateBadge } from './state-badge.tsx'
import { TimeLine } from './time-line.tsx'
import { everyText, outcomeWords, shownState } from './uptime-words.ts'

export const title = (): string => 'Uptime · Sonde'

export default function Uptime() {
  const { monitors, mayWrite } = usePageData<typeof load>()
  const { org, project } = useParams<'org' | 'project'>()
  return (
    <div className="page">
      <div className="page-head">
        <h1>Uptime</h1>
        {mayWrite && monitors.length > 0 && (
          <Link className="button button-primary uptime-new" to={paths.newUptime(org, project)}>
            New monitor
          </Link>
        )}
      </div>
      <SavedNotice />
      {monitors.length > 0 ? (
        <MonitorTable monitors={monitors} />
      ) : (
        <EmptyState title="No uptime monitors" docs="uptime">
          <p>
            Sonde asks an address again and again, keeps how long each phase of the answer took, and tells
            people when it is down.
          </p>
          {mayWrite ? (
            <p>
              <Link className="button button-primary" to={paths.newUptime(org, project)}>
                Create a monitor
              </Link>
            </p>
          ) : (
            <p>Ask a member of the organization to create one.</p>
          )}
        </EmptyState>
      )}
    </div>
  )
}

type Row = DataOf<typeof load>['monitors'][number]

function MonitorTable({ monitors }: { readonly monitors: readonly Row[] }) {
  const { org, project } = useParams<'org' | 'project'>()
  return (
    <TableFrame label="Uptime monitors">
      <table className="perf-table">
        <thead>
          <tr>
            <th scope="col">Monitor</th>
            <th scope="col">State</th>
            <th scope="col" className="num">
              24 hours
            </th>
            <th scope="col" className="num">
              7 days
            </th>
            <th scope="col" className="num">
              30 days
            </th>
            <th scope="col">Response time, 24 hours</th>
          </tr>
        </thead>
        <tbody>
          {monitors.map((row) => (
            <tr key={row.id}>
              <th scope="row" className="uptime-name">
                <Link to={paths.uptimeMonitor(org, project, row.id)}>
                  <UserText text={row.name} />
                </Link>
                <span className="muted uptime-url">
                  <UserText text={row.url} />
                </span>
                <span className="muted uptime-url">
                  every {everyText(row.intervalSec)}
                  {row.environment !== '' && (
                    <>
                      , <UserText text={row.environment} />
                    </>
                  )}
                </span>
              </th>
              <td>
                <StateBadge state={shownState(row)} />
                {row.state === 'down' && (
                  <span className="muted uptime-url">
                    {outcomeWords(row.outcome)}, <Ago atMs={row.sinceMs} />
                  </span>
                )}
              </td>
              <td className="num">
                <Share of={row.availability.day} />
              </td>
              <td className="num">
                <Share of={row.availability.week} />
              </td>
              <td className="num">
                <Share of={row.availability.month} />
              </td>
              <td>
                <TimeLine times={row.times} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  )
}
