import { NAVIGATION_OUTCOMES } from '@sonde/protocol/navigation'
import type { RoutePair } from '@sonde/queries'
import { Link, useLocation, useSearchParams } from '@sonde/router'
import { formatExact, formatShare } from '../../../../format/format-count.ts'
import { formatDuration } from '../../../../format/format-duration.ts'
import { ExtrapolatedCount } from '../../../../parts/performance/extrapolated-count.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import { type PairSort, placeSearch } from './navigation-address.ts'
import { OUTCOME_WORDS } from './navigation-words.ts'
import { troubleOf } from './pair-order.ts'
import { PhaseCell } from './phase-bar.tsx'

const COLUMNS: readonly { readonly id: PairSort; readonly name: string; readonly about: string }[] = [
  { id: 'count', name: 'Count', about: 'Counted up from what was sampled' },
  { id: 'p50', name: 'p50', about: 'Half of them were at least as fast' },
  { id: 'p75', name: 'p75', about: 'Three of four were at least as fast' },
  { id: 'p95', name: 'p95', about: '19 of 20 were at least as fast' },
  { id: 'trouble', name: 'Trouble', about: 'Errors, full page loads, left or waiting without an end' },
]

type Props = { readonly pairs: readonly RoutePair[]; readonly sort: PairSort }

/** Pairs of routes: how long they took, how they ended, where the time went. A press on a name chooses the pair. */
export function PairTable({ pairs, sort }: Props) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  return (
    <div className="perf-scroll" role="region" aria-label="Navigations by pair of routes" tabIndex={0}>
      <table className="perf-table">
        <thead>
          <tr>
            <th scope="col">From → to</th>
            {COLUMNS.map(({ id, name, about }) => (
              <th
                key={id}
                scope="col"
                className="col-num"
                title={about}
                aria-sort={id === sort ? 'descending' : undefined}
              >
                <Link
                  to={pathname + placeSearch(params, { sort: id })}
                  prefetch="none"
                  aria-current={id === sort || undefined}
                >
                  {name}
                  {id === sort && <span aria-hidden="true"> ↓</span>}
                </Link>
              </th>
            ))}
            <th scope="col">Other ends</th>
            <th scope="col" title="Means of those that were shown; of data and code the longer one counts">
              Where the time goes
            </th>
            <th scope="col" title="How many found their data or code fetched ahead">
              Fetched ahead
            </th>
          </tr>
        </thead>
        <tbody>
          {pairs.map((pair) => (
            <PairRow
              key={`${pair.from} ${pair.to}`}
              pair={pair}
              href={pathname + placeSearch(params, { from: pair.from, to: pair.to, navigation: undefined })}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function PairRow({ pair, href }: { readonly pair: RoutePair; readonly href: string }) {
  const { from, to, count, samples, outcomes, prefetch } = pair
  const troubles = troubleOf(pair)
  const used = prefetch.used ?? 0
  return (
    <tr>
      <th scope="row" className="perf-name">
        <Link to={href} prefetch="none">
          <UserText text={from} /> <span aria-label="to">→</span> <UserText text={to} />
        </Link>
      </th>
      <td className="col-num">
        <ExtrapolatedCount count={count} samples={samples} noun="navigation" />
      </td>
      {[pair.p50, pair.p75, pair.p95].map((ms, index) => (
        <td key={index} className="col-num num">
          {ms === undefined ? <span className="muted">–</span> : formatDuration(ms)}
        </td>
      ))}
      <td
        className={`col-num num ${troubles > 0 ? 'perf-bad' : 'muted'}`}
        title={`${formatExact(troubles)} of ${formatExact(count)}`}
      >
        {formatShare(troubles, count)}
      </td>
      <td className="perf-ends">{endsText(outcomes)}</td>
      <td>
        <PhaseCell phases={pair.meanPhases} of={`${from} to ${to}`} />
      </td>
      <td className="num" title={prefetchText(prefetch)}>
        {used === 0 ? <span className="muted">–</span> : formatShare(used, count)}
      </td>
    </tr>
  )
}

/** Everything but being shown. */
function endsText(outcomes: RoutePair['outcomes']): string {
  const others = NAVIGATION_OUTCOMES.filter((outcome) => outcome !== 'committed')
  return others
    .flatMap((name) => (outcomes[name] ? [`${formatExact(outcomes[name])} ${OUTCOME_WORDS[name]}`] : []))
    .join(', ')
}

const prefetchText = (prefetch: RoutePair['prefetch']): string =>
  Object.entries(prefetch)
    .map(([state, count]) => `${formatExact(count)} ${state}`)
    .join(', ')
