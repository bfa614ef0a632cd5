import type { HungNavigations } from '@sonde/queries'
import { formatDuration } from '../../../../format/format-duration.ts'
import { Count } from '../../../../ui/count.tsx'
import { Ago } from '../../../../ui/time.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import { NavigationLink, TraceLink } from './navigation-links.tsx'

/** Loads that hung or were left, by what had not answered. */
export function HungTable({
  org,
  rows,
}: {
  readonly org: string
  readonly rows: readonly HungNavigations[]
}) {
  return (
    <div className="perf-scroll" role="region" aria-label="Loads that hung or were left" tabIndex={0}>
      <table className="perf-table">
        <thead>
          <tr>
            <th scope="col">From → to</th>
            <th scope="col">Waiting for</th>
            <th scope="col" className="col-num" title="Took longer than 5 s, whatever came of it">
              Hung
            </th>
            <th scope="col" className="col-num" title="The person went away first">
              Left
            </th>
            <th scope="col" className="col-num">
              Users
            </th>
            <th
              scope="col"
              className="col-num"
              title="Half of them waited at least as long; the longest in the title"
            >
              Waited
            </th>
            <th scope="col">Last</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.from} ${row.to} ${row.waitingFor}`}>
              <th scope="row" className="perf-name">
                <UserText text={row.from} /> <span aria-label="to">→</span> <UserText text={row.to} />
              </th>
              <td className="nav-path">
                {row.waitingFor === '' ? (
                  <span className="muted" title="No request was on its way: code of the page, or a script">
                    no request
                  </span>
                ) : (
                  row.waitingFor.split(', ').map((endpoint) => (
                    <code key={endpoint} className="nav-endpoint">
                      <UserText text={endpoint} />
                    </code>
                  ))
                )}
              </td>
              <td className="col-num">
                <Count value={row.hung} noun="navigation" />
                {row.shownLate > 0 && <span className="nav-sub">{row.shownLate} shown late</span>}
              </td>
              <td className="col-num">
                <Count value={row.left} noun="navigation" />
              </td>
              <td className="col-num">
                <Count value={row.users} noun="user" />
              </td>
              <td className="col-num num" title={`At most ${formatDuration(row.maxMs)}`}>
                {formatDuration(row.medianMs)}
              </td>
              <td className="nav-last">
                <NavigationLink id={row.navigationId}>
                  <Ago atMs={row.lastMs} />
                </NavigationLink>{' '}
                <TraceLink org={org} traceId={row.traceId} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
