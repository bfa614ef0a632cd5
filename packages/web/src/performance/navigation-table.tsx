import { formatExact, formatShare } from '../format/format-count.ts'
import { formatDuration } from '../format/format-duration.ts'
import { UserText } from '../ui/user-text.tsx'
import { ExtrapolatedCount } from './extrapolated-count.tsx'
import { SplitBar } from './split-bar.tsx'

type Counts = Readonly<Record<string, number | undefined>>
export type ShownPair = {
  readonly from: string
  readonly to: string
  readonly count: number
  readonly samples: number
  readonly p50?: number | undefined
  readonly p75?: number | undefined
  readonly p95?: number | undefined
  readonly outcomes: Counts
  readonly prefetch: Counts
  readonly phases: Counts
}

/** In the order in which they follow each other: packages/protocol/src/navigation.ts says what each is. */
const PHASES = ['intent', 'match', 'data', 'chunk', 'commit', 'paint', 'settled'] as const
const OUTCOMES: Readonly<Record<string, string>> = {
  redirected: 'redirected',
  superseded: 'replaced by another',
  aborted: 'given up',
  errored: 'ended in an error',
  timed_out: 'never ended',
  full_load: 'fell back to a full load',
  left: 'left while waiting',
  pending: 'still waiting',
}
/** Ends that a person suffered; being redirected or having changed one's mind is none. */
const FAILURES = ['errored', 'timed_out', 'full_load', 'left', 'pending'] as const

/** Pairs of routes, the most used first: how long they took, how they ended, where the time went. */
export function NavigationTable({ pairs }: { readonly pairs: readonly ShownPair[] }) {
  return (
    <>
      <p className="muted perf-lead">
        From the press to the new page being seen, by pair of routes. Only navigations that were shown are in
        the times.
      </p>
      <div className="perf-scroll" role="region" aria-label="Navigations by pair of routes" tabIndex={0}>
        <table className="perf-table">
          <thead>
            <tr>
              <th scope="col">From → to</th>
              <th scope="col" className="col-num">
                Count
              </th>
              <th scope="col" className="col-num" title="Half of them were at least as fast">
                p50
              </th>
              <th scope="col" className="col-num" title="Three of four were at least as fast">
                p75
              </th>
              <th scope="col" className="col-num" title="19 of 20 were at least as fast">
                p95
              </th>
              <th scope="col" className="col-num" title="Errors, full page loads, waiting without an end">
                Failed
              </th>
              <th scope="col">Other ends</th>
              <th scope="col">Where the time goes (p75)</th>
              <th scope="col" title="How many found their data or code fetched ahead">
                Fetched ahead
              </th>
            </tr>
          </thead>
          <tbody>
            {pairs.map((pair) => (
              <PairRow key={`${pair.from} ${pair.to}`} pair={pair} />
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

function PairRow({ pair }: { readonly pair: ShownPair }) {
  const { from, to, count, samples, outcomes, prefetch } = pair
  const failed = FAILURES.reduce((sum, name) => sum + (outcomes[name] ?? 0), 0)
  const used = prefetch['used'] ?? 0
  return (
    <tr>
      <th scope="row" className="perf-name">
        <UserText text={from} /> <span aria-label="to">→</span> <UserText text={to} />
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
        className={`col-num num ${failed > 0 ? 'perf-bad' : 'muted'}`}
        title={`${formatExact(failed)} of ${formatExact(count)}`}
      >
        {formatShare(failed, count)}
      </td>
      <td className="perf-ends">{endsOf(outcomes)}</td>
      <td>
        <Phases phases={pair.phases} />
      </td>
      <td className="num" title={prefetchText(prefetch)}>
        {used === 0 ? <span className="muted">–</span> : formatShare(used, count)}
      </td>
    </tr>
  )
}

function Phases({ phases }: { readonly phases: Counts }) {
  const shown = PHASES.filter((phase) => (phases[phase] ?? 0) > 0)
  if (shown.length === 0) return <span className="muted">–</span>
  const longest = shown.reduce((a, b) => ((phases[b] ?? 0) > (phases[a] ?? 0) ? b : a))
  const label = shown.map((phase) => `${phase} ${formatDuration(phases[phase] ?? 0)}`).join(', ')
  return (
    <div className="perf-phases">
      <SplitBar
        label={label}
        parts={shown.map((phase) => ({ className: `phase-${phase}`, value: phases[phase] ?? 0 }))}
      />
      <span className="muted" title={label}>
        mostly {longest}, {formatDuration(phases[longest] ?? 0)}
      </span>
    </div>
  )
}

function endsOf(outcomes: Counts): string {
  const others = Object.entries(OUTCOMES).flatMap(([name, words]) =>
    outcomes[name] ? [`${formatExact(outcomes[name])} ${words}`] : [],
  )
  return others.join(', ')
}

const prefetchText = (prefetch: Counts): string =>
  Object.entries(prefetch)
    .map(([state, count]) => `${formatExact(count ?? 0)} ${state}`)
    .join(', ')
