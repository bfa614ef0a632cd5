import { NAVIGATION_OUTCOMES } from '@sonde/protocol/navigation'
import type { RoutePair } from '@sonde/queries'
import { Link, useLocation, useSearchParams } from '@sonde/router'
import { formatExact, formatShare } from '../../../../format/format-count.ts'
import { formatDuration } from '../../../../format/format-time.ts'
import { ExtrapolatedCount } from '../../../../parts/performance/extrapolated-count.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import { failuresOf, knownOf, type PairSort, placeSearch } from './navigation-address.ts'
import { OUTCOME_WORDS, PREFETCH_WORDS, wordOf } from './navigation-words.ts'
import { PhaseCell } from './phase-bar.tsx'

const COLUMNS: readonly { readonly id: PairSort; readonly name: string; readonly about: string }[] = [
  { id: 'count', name: 'Count', about: 'Extrapolated from sampled data' },
  { id: 'p50', name: 'p50', about: 'Median' },
  { id: 'p75', name: 'p75', about: '75th percentile' },
  { id: 'p95', name: 'p95', about: '95th percentile' },
  { id: 'trouble', name: 'Failed', about: 'Errors, hard navigations, abandoned and timed out' },
]

type Props = { readonly pairs: readonly RoutePair[]; readonly sort: PairSort }

/** Route transitions: durations, outcomes, time breakdown. A click on a name selects the transition. */
export function PairTable({ pairs, sort }: Props) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  return (
    <div className="perf-scroll" role="region" aria-label="Route transitions table" tabIndex={0}>
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
            <th scope="col">Other outcomes</th>
            <th
              scope="col"
              title="Mean phases of completed navigations; data and code load in parallel, the longer counts"
            >
              Time breakdown
            </th>
            <th scope="col" title="Share with data or code already prefetched">
              Prefetched
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
  const failures = failuresOf(pair)
  const known = knownOf(pair)
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
        className={`col-num num ${failures > 0 ? 'perf-bad' : 'muted'}`}
        title={`${formatExact(failures)} of ${formatExact(known)}`}
      >
        {known > 0 ? formatShare(failures, known) : '–'}
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

/** All outcomes except completed. */
function endsText(outcomes: RoutePair['outcomes']): string {
  const others = NAVIGATION_OUTCOMES.filter((outcome) => outcome !== 'committed')
  return others
    .flatMap((name) => (outcomes[name] ? [`${formatExact(outcomes[name])} ${OUTCOME_WORDS[name]}`] : []))
    .join(', ')
}

const prefetchText = (prefetch: RoutePair['prefetch']): string =>
  Object.entries(prefetch)
    .map(
      ([state, count]) =>
        `${formatExact(count)} ${(wordOf(PREFETCH_WORDS, state)?.name ?? state).toLowerCase()}`,
    )
    .join(', ')
