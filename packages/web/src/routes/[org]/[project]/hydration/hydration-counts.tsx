import type { BenignCount, HydrationRoute } from '@sonde/queries'
import { formatShare } from '../../../../format/format-count.ts'
import { formatDuration } from '../../../../format/format-time.ts'
import { Count } from '../../../../ui/count.tsx'
import { UserText } from '../../../../ui/user-text.tsx'

/** How long each route took to be hydrated, and who pressed something meanwhile. */
export function HydrationRouteTable({ rows }: { readonly rows: readonly HydrationRoute[] }) {
  return (
    <div className="perf-scroll" role="region" aria-label="Hydration by route" tabIndex={0}>
      <table className="perf-table">
        <thead>
          <tr>
            <th scope="col">Route</th>
            <th
              scope="col"
              className="col-num"
              title="Clicks before hydration on elements with a handler; links work without it"
            >
              Lost clicks
            </th>
            <th scope="col" className="col-num" title="Page loads with a lost click">
              Affected
            </th>
            <th
              scope="col"
              className="col-num"
              title="From hydrateRoot until the page answers, 75th percentile"
            >
              Hydration p75
            </th>
            <th scope="col" className="col-num" title="Page loads with a mismatch">
              Mismatch rate
            </th>
            <th scope="col" className="col-num">
              Page loads
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ route, lostClicks, clickedPages, p75, mismatched, pages }) => (
            <tr key={route}>
              <th scope="row" className="perf-name">
                <UserText text={route} />
              </th>
              <td className={`col-num ${lostClicks > 0 ? 'perf-bad' : 'muted'}`}>
                <Count value={lostClicks} noun="click" />
              </td>
              <td className="col-num num">{formatShare(clickedPages, pages)}</td>
              <td className="col-num num">{formatDuration(p75)}</td>
              <td className="col-num num">{formatShare(mismatched, pages)}</td>
              <td className="col-num">
                <Count value={pages} noun="page load" />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const KINDS: Readonly<Record<BenignCount['kind'], { readonly name: string; readonly about: string }>> = {
  extension: { name: 'Browser extension', about: 'an extension changed the page before React started' },
  translation: { name: 'Translated page', about: 'the browser translated the page' },
  whitespace: { name: 'White space', about: 'only spaces and line breaks differ' },
  attribute_order: { name: 'Order', about: 'the same attributes or classes in another order' },
  nonce: { name: 'Nonce', about: 'browsers hide it from scripts' },
  xmlns: { name: 'XML namespace', about: 'the parser drops or adds it' },
  hover: { name: 'Hover and focus', about: 'classes and attributes for the pointer or the focus' },
}

/** What differed and is nobody's fault. */
export function BenignTable({ rows }: { readonly rows: readonly BenignCount[] }) {
  return (
    <div className="perf-scroll" role="region" aria-label="Benign differences by kind" tabIndex={0}>
      <table className="perf-table">
        <thead>
          <tr>
            <th scope="col">Kind</th>
            <th scope="col" className="col-num">
              Differences
            </th>
            <th scope="col" className="col-num" title="React renders again for some of them too">
              Rendering time
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ kind, count, ms }) => (
            <tr key={kind}>
              <th scope="row" className="perf-name">
                {KINDS[kind].name}
                <span className="script-detail muted">{KINDS[kind].about}</span>
              </th>
              <td className="col-num">
                <Count value={count} noun="difference" />
              </td>
              <td className="col-num num">
                {ms > 0 ? formatDuration(ms) : <span className="muted">none</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
