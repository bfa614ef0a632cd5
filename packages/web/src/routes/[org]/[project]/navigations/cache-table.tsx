import type { RouteCache } from '@sonde/queries'
import { formatShare } from '../../../../format/format-count.ts'
import { formatDuration } from '../../../../format/format-duration.ts'
import { Count } from '../../../../ui/count.tsx'
import { UserText } from '../../../../ui/user-text.tsx'

/** How often a page was shown from the client's cache, how old that was, and how much sooner it was seen. */
export function CacheTable({ rows }: { readonly rows: readonly RouteCache[] }) {
  return (
    <div className="perf-scroll" role="region" aria-label="The client’s cache, by route" tabIndex={0}>
      <table className="perf-table">
        <thead>
          <tr>
            <th scope="col">Route</th>
            <th scope="col" className="col-num" title="Page data out of the router’s cache">
              Hits
            </th>
            <th
              scope="col"
              className="col-num"
              title="The whole page out of the browser’s back/forward cache"
            >
              Back/forward
            </th>
            <th scope="col" className="col-num">
              Misses
            </th>
            <th scope="col" className="col-num">
              Share from cache
            </th>
            <th
              scope="col"
              className="col-num"
              title="Since the data that was shown was fetched: half, and 19 of 20"
            >
              Age
            </th>
            <th scope="col" className="col-num" title="p75">
              Seen after
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.route}>
              <th scope="row" className="perf-name">
                <UserText text={row.route} />
              </th>
              {[row.hit, row.bfcache, row.miss].map((count, index) => (
                <td key={index} className="col-num">
                  <Count value={count} noun="navigation" />
                </td>
              ))}
              <td className="col-num num">
                {formatShare(row.hit + row.bfcache, row.hit + row.bfcache + row.miss)}
              </td>
              <td className="col-num num">
                {row.ageP50 === undefined ? '–' : formatDuration(row.ageP50)}
                {row.ageP95 !== undefined && (
                  <span className="nav-sub">p95 {formatDuration(row.ageP95)}</span>
                )}
              </td>
              <td className="col-num num">
                {row.hitP75 === undefined ? '–' : formatDuration(row.hitP75)}
                {row.missP75 !== undefined && (
                  <span className="nav-sub">{formatDuration(row.missP75)} without</span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
