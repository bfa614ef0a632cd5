import type { RoutePrefetch } from '@sonde/queries'
import { formatBytes, formatExact, formatShare } from '../../../../format/format-count.ts'
import { formatDuration } from '../../../../format/format-duration.ts'
import { SplitBar } from '../../../../parts/split-bar.tsx'
import { Count } from '../../../../ui/count.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import { prefetchGain, prefetchVerdict } from './prefetch-verdict.ts'

const STATES = ['used', 'late', 'stale', 'wasted'] as const

/** What fetching each route ahead came to, what the rest cost, and whether it is worth it. */
export function PrefetchTable({ rows }: { readonly rows: readonly RoutePrefetch[] }) {
  return (
    <div className="perf-scroll" role="region" aria-label="Fetched ahead, by route" tabIndex={0}>
      <table className="perf-table">
        <thead>
          <tr>
            <th scope="col">Route</th>
            <th scope="col" className="col-num" title="Fetches ahead">
              Fetched
            </th>
            <th scope="col" title="There in time, late, too old, never needed">
              What became of them
            </th>
            <th
              scope="col"
              className="col-num"
              title="Seen after (p75) where it was there in time, and where nothing was fetched"
            >
              Seen after
            </th>
            <th scope="col" className="col-num" title="What navigations did not have to wait, all together">
              Saved
            </th>
            <th
              scope="col"
              className="col-num"
              title="Loads of data and code, and their bytes over the network"
            >
              Cost
            </th>
            <th scope="col" className="col-num" title="Of these bytes, what nobody saw">
              Wasted
            </th>
            <th scope="col">What to make of it</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <PrefetchRow key={row.route} row={row} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function PrefetchRow({ row }: { readonly row: RoutePrefetch }) {
  const label = `${row.used} there in time, ${row.late} late, ${row.stale} too old, ${row.wasted} never needed`
  const gain = prefetchGain(row)
  return (
    <tr>
      <th scope="row" className="perf-name">
        <UserText text={row.route} />
      </th>
      <td className="col-num">
        <Count value={row.issued} noun="fetch" />
      </td>
      <td className="perf-phases" title={label}>
        <SplitBar
          label={label}
          parts={STATES.map((state) => ({ className: `prefetch-${state}`, value: row[state] }))}
        />
        <span className="muted">
          {formatShare(row.used + row.late, row.issued)} needed, {formatExact(row.late)} late,{' '}
          {formatExact(row.stale)} too old
        </span>
      </td>
      <td className="col-num num">
        {row.usedP75 === undefined ? '–' : formatDuration(row.usedP75)}
        <span className="nav-sub" title={`${row.usedSamples} against ${row.noneSamples} navigations`}>
          {row.noneP75 === undefined ? 'nothing to compare' : `${formatDuration(row.noneP75)} without`}
          {gain !== undefined && `, ${gain > 0 ? '−' : '+'}${formatDuration(Math.abs(gain))}`}
        </span>
      </td>
      <td className="col-num num">{formatDuration(row.savedMs)}</td>
      <td className="col-num num">
        {row.bytes === undefined ? (
          <span className="muted" title="An older reporter does not tell">
            not told
          </span>
        ) : (
          <>
            {formatBytes(row.bytes)}
            <span className="nav-sub">{formatExact(row.requests ?? 0)} requests</span>
          </>
        )}
      </td>
      <td className="col-num num">
        {row.wastedBytes === undefined ? (
          '–'
        ) : (
          <>
            {formatBytes(row.wastedBytes)}
            <span className="nav-sub">{formatShare(row.wastedBytes, row.bytes ?? 0)}</span>
          </>
        )}
      </td>
      <td className="nav-verdict">{prefetchVerdict(row)}</td>
    </tr>
  )
}
