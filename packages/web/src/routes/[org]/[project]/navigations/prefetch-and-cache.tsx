import type { OriginPrefetches, RouteCache, RoutePrefetch } from '@sonde/queries'
import { countOf, formatBytes, formatExact, formatShare } from '../../../../format/format-count.ts'
import { formatDuration } from '../../../../format/format-time.ts'
import { SplitBar } from '../../../../parts/split-bar.tsx'
import { Count } from '../../../../ui/count.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import { prefetchCost, prefetchGain, prefetchSaving, prefetchVerdict } from './prefetch-words.ts'

const SHOWN_ROUTES = 5
const STATES = ['used', 'late', 'stale', 'wasted'] as const

/** What fetching ahead costs the servers of the project. */
export function OriginShare({
  origin: { requests, prefetches, routes, others },
}: {
  readonly origin: OriginPrefetches
}) {
  return (
    <p>
      <strong>{formatShare(prefetches, requests)} of server requests were prefetches</strong>:{' '}
      {formatExact(prefetches)} of {formatExact(requests)}
      {others.length > 0 && `, servers of ${others.join(', ')} included`}.{' '}
      <span className="muted">
        {routes.slice(0, SHOWN_ROUTES).map((each, index) => (
          <span key={each.route}>
            {index > 0 && ', '}
            <UserText text={each.route} /> {formatShare(each.prefetches, each.requests)}
          </span>
        ))}
      </span>
    </p>
  )
}

type Speculated = { readonly loads: number; readonly late: number }

/** What speculation rules had ready; how much of it in vain, only servers know. */
export function SpeculatedLoads({ loads, late }: Speculated) {
  return (
    <p>
      <strong>{countOf(loads, 'page load')} prepared by speculation rules</strong>
      {late > 0 && `, ${formatExact(late)} of them not ready in time`}.{' '}
      <span className="muted">Unused ones are known to servers only, as requests that were prefetches.</span>
    </p>
  )
}

type TableProps = {
  readonly rows: readonly RoutePrefetch[]
  /** Length of the time range, for what is saved in a day. */
  readonly windowMs: number
  readonly origin: OriginPrefetches | undefined
}

/** Prefetches by route: their outcomes, their cost, and a recommendation. */
export function PrefetchTable({ rows, ...more }: TableProps) {
  return (
    <div className="perf-scroll" role="region" aria-label="Prefetches by route" tabIndex={0}>
      <table className="perf-table">
        <thead>
          <tr>
            <th scope="col">Route</th>
            <th scope="col" className="col-num">
              Prefetches
            </th>
            <th scope="col" title="Hit, late, stale, unused">
              Outcome
            </th>
            <th scope="col" className="col-num" title="p75 with a prefetch hit, and without a prefetch">
              Time to visible
            </th>
            <th scope="col" className="col-num" title="Total wait avoided">
              Saved
            </th>
            <th scope="col" className="col-num" title="Bytes and requests over the network">
              Cost
            </th>
            <th scope="col" className="col-num" title="Bytes that were never used">
              Wasted
            </th>
            <th scope="col">Recommendation</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <PrefetchRow key={row.route} row={row} {...more} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

type RowProps = Omit<TableProps, 'rows'> & { readonly row: RoutePrefetch }

function PrefetchRow({ row, windowMs, origin }: RowProps) {
  const label = `${row.used} hit, ${row.late} late, ${row.stale} stale, ${row.wasted} unused`
  const gain = prefetchGain(row)
  return (
    <tr>
      <th scope="row" className="perf-name">
        <UserText text={row.route} />
        <span className="nav-sub">{prefetchCost(row, origin)}</span>
      </th>
      <td className="col-num">
        <Count value={row.issued} noun="load" />
      </td>
      <td className="perf-phases" title={label}>
        <SplitBar
          label={label}
          parts={STATES.map((state) => ({ className: `prefetch-${state}`, value: row[state] }))}
        />
        <span className="muted">
          {formatShare(row.used + row.late, row.issued)} used, {formatExact(row.late)} late,{' '}
          {formatExact(row.stale)} stale
        </span>
      </td>
      <td className="col-num num">
        {row.usedP75 === undefined ? '–' : formatDuration(row.usedP75)}
        <span className="nav-sub" title={`${row.usedSamples} navigations with, ${row.noneSamples} without`}>
          {row.noneP75 === undefined ? 'not enough data' : `${formatDuration(row.noneP75)} without`}
          {gain !== undefined && `, ${gain > 0 ? '−' : '+'}${formatDuration(Math.abs(gain))}`}
        </span>
      </td>
      <td className="col-num num">{formatDuration(row.savedMs)}</td>
      <td className="col-num num">
        {row.bytes === undefined ? (
          <span className="muted" title="Older SDK versions do not report bytes">
            not reported
          </span>
        ) : (
          <>
            {formatBytes(row.bytes)}
            <span className="nav-sub">{countOf(row.requests ?? 0, 'request')}</span>
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
      <td className="nav-verdict">
        {prefetchVerdict(row)}
        <span className="nav-sub">{prefetchSaving(row, windowMs)}</span>
      </td>
    </tr>
  )
}

/** Client cache hits by route, the age of the data, and the time gained. */
export function CacheTable({ rows }: { readonly rows: readonly RouteCache[] }) {
  return (
    <div className="perf-scroll" role="region" aria-label="Client cache by route" tabIndex={0}>
      <table className="perf-table">
        <thead>
          <tr>
            <th scope="col">Route</th>
            <th scope="col" className="col-num" title="Page data from the router’s cache">
              Hits
            </th>
            <th scope="col" className="col-num" title="The whole page from the browser’s back/forward cache">
              Back/forward
            </th>
            <th scope="col" className="col-num">
              Misses
            </th>
            <th scope="col" className="col-num">
              Hit rate
            </th>
            <th scope="col" className="col-num" title="Age of the cached data: p50 and p95">
              Age
            </th>
            <th scope="col" className="col-num" title="p75">
              Time to visible
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
