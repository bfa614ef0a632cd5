import type { NavigationDetail } from '@sonde/queries'
import { formatDuration } from '../../../../format/format-duration.ts'
import { Ago } from '../../../../ui/time.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import { NavigationLink, TraceLink } from './navigation-links.tsx'
import { PhaseCell } from './phase-bar.tsx'
import { longerOfLoads } from './phase-parts.ts'

/** Samples of what the upper percentiles are made of. */
export function SlowestList({
  org,
  slowest,
}: {
  readonly org: string
  readonly slowest: readonly NavigationDetail[]
}) {
  if (slowest.length === 0) return null
  return (
    <section aria-labelledby="slowest-title">
      <h3 id="slowest-title">The slowest that were shown</h3>
      <div className="perf-scroll" role="region" aria-label="The slowest navigations" tabIndex={0}>
        <table className="perf-table">
          <thead>
            <tr>
              <th scope="col">Seen after</th>
              <th scope="col">When</th>
              <th scope="col">Where the time went</th>
              <th scope="col">To</th>
              <th scope="col">On</th>
              <th scope="col">
                <span className="sr-only">Links</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {slowest.map((each) => (
              <tr key={each.navigationId}>
                <th scope="row" className="num">
                  <NavigationLink id={each.navigationId}>
                    {formatDuration(each.visibleAfterMs ?? each.durationMs)}
                  </NavigationLink>
                </th>
                <td>
                  <Ago atMs={each.atMs} />
                </td>
                <td>
                  <PhaseCell phases={longerOfLoads(each.phases)} of={each.toPath} />
                </td>
                <td className="nav-path">
                  <UserText text={each.toPath || each.toRoute} />
                </td>
                <td className="nav-on">
                  {[each.browser, each.device, each.connection].filter(Boolean).join(', ')}
                </td>
                <td>
                  <TraceLink org={org} traceId={each.traceId} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
