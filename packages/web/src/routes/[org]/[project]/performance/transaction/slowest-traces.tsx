import { Link } from '@sonde/router'
import type { TransactionSample } from '@sonde/queries'
import { formatDuration } from '../../../../../format/format-duration.ts'
import { paths } from '../../../../../paths.ts'
import { ExactTime } from '../../../../../ui/time.tsx'
import { UserText } from '../../../../../ui/user-text.tsx'

type Props = { readonly org: string; readonly traces: readonly TransactionSample[] }

/** The ones to open when the question is why. */
export function SlowestTraces({ org, traces }: Props) {
  return (
    <div className="perf-scroll" role="region" aria-label="Slowest traces" tabIndex={0}>
      <table className="perf-table">
        <thead>
          <tr>
            <th scope="col">Trace</th>
            <th scope="col" className="col-num">
              Duration
            </th>
            <th scope="col">When</th>
            <th scope="col">Status</th>
            <th scope="col">Release</th>
            <th scope="col">Browser</th>
            <th scope="col">User</th>
          </tr>
        </thead>
        <tbody>
          {traces.map((trace) => (
            <tr key={trace.traceId}>
              <th scope="row" className="slow-trace">
                <Link to={paths.trace(org, trace.traceId, trace.spanId)}>{trace.traceId.slice(0, 8)}</Link>
              </th>
              <td className="col-num num">{formatDuration(trace.durationMs)}</td>
              <td className="slow-when">
                <ExactTime atMs={trace.startMs} />
              </td>
              <td className={trace.hasFailed ? 'perf-bad' : undefined}>{trace.status || '–'}</td>
              {[trace.release, trace.browser, trace.userKey].map((text, index) => (
                <td key={index} className="slow-fact">
                  {text === '' ? <span className="muted">–</span> : <UserText text={text} />}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
