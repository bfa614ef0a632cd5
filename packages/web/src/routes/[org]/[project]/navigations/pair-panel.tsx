import { NAVIGATION_OUTCOMES } from '@sonde/protocol/navigation'
import type { NavigationBreakdown, NavigationDetail, RoutePair } from '@sonde/queries'
import { formatExact, formatShare } from '../../../../format/format-count.ts'
import { formatDuration } from '../../../../format/format-time.ts'
import { SplitBar } from '../../../../parts/split-bar.tsx'
import { Ago } from '../../../../ui/time.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import { longerOfLoads } from './navigation-figures.ts'
import { NavigationLink, TraceLink } from './navigation-links.tsx'
import { OUTCOME_WORDS, PREFETCH_WORDS, TRIGGER_WORDS } from './navigation-words.ts'
import { PhaseCell } from './phase-bar.tsx'

type Props = {
  readonly org: string
  readonly pairs: readonly Pick<RoutePair, 'outcomes'>[]
  readonly parts: NavigationBreakdown
  readonly slowest: readonly NavigationDetail[]
}

/** One transition: its outcomes, triggers, prefetch results and slowest navigations. */
export function PairPanel({ org, pairs, parts, slowest }: Props) {
  return (
    <div className="nav-panel">
      <div className="nav-columns">
        <Outcomes pairs={pairs} />
        <Parts
          title="Trigger"
          parts={parts.triggers.map(({ name, ...rest }) => ({
            ...rest,
            name: TRIGGER_WORDS[name],
            about: '',
          }))}
        />
        <Parts
          title="By prefetch result"
          parts={parts.prefetch.map(({ name, ...rest }) => ({ ...rest, ...PREFETCH_WORDS[name] }))}
        />
      </div>
      <SlowestList org={org} slowest={slowest} />
    </div>
  )
}

function Outcomes({ pairs }: Pick<Props, 'pairs'>) {
  const counts = NAVIGATION_OUTCOMES.flatMap((outcome) => {
    const count = pairs.reduce((sum, { outcomes }) => sum + (outcomes[outcome] ?? 0), 0)
    return count > 0 ? [{ outcome, count }] : []
  })
  const all = counts.reduce((sum, { count }) => sum + count, 0)
  return (
    <section aria-labelledby="pair-outcomes">
      <h3 id="pair-outcomes">Outcomes</h3>
      <SplitBar
        label={counts.map(({ outcome, count }) => `${count} ${OUTCOME_WORDS[outcome]}`).join(', ')}
        parts={counts.map(({ outcome, count }) => ({ className: `outcome-${outcome}`, value: count }))}
      />
      <table className="nav-small">
        <tbody>
          {counts.map(({ outcome, count }) => (
            <tr key={outcome}>
              <th scope="row">{OUTCOME_WORDS[outcome]}</th>
              <td className="num col-num">{formatExact(count)}</td>
              <td className="num col-num muted">{formatShare(count, all)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

type Part = {
  readonly name: string
  readonly about: string
  readonly count: number
  readonly p75: number | undefined
}

function Parts({ title, parts }: { readonly title: string; readonly parts: readonly Part[] }) {
  const id = `pair-${title.toLowerCase().replaceAll(' ', '-')}`
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      {parts.length === 0 ? (
        <p className="muted">No data</p>
      ) : (
        <table className="nav-small">
          <thead>
            <tr>
              <th scope="col">
                <span className="sr-only">{title}</span>
              </th>
              <th scope="col" className="col-num">
                Count
              </th>
              <th scope="col" className="col-num" title="75th percentile of time to visible">
                p75
              </th>
            </tr>
          </thead>
          <tbody>
            {parts.map(({ name, about, count, p75 }) => (
              <tr key={name} title={about === '' ? undefined : about}>
                <th scope="row">{name}</th>
                <td className="num col-num">{formatExact(count)}</td>
                <td className="num col-num">{p75 === undefined ? '–' : formatDuration(p75)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

/** The slowest completed navigations, as samples of the upper percentiles. */
function SlowestList({
  org,
  slowest,
}: {
  readonly org: string
  readonly slowest: readonly NavigationDetail[]
}) {
  if (slowest.length === 0) return null
  return (
    <section aria-labelledby="slowest-title">
      <h3 id="slowest-title">Slowest completed navigations</h3>
      <div className="perf-scroll" role="region" aria-label="Slowest completed navigations" tabIndex={0}>
        <table className="perf-table">
          <thead>
            <tr>
              <th scope="col">Time to visible</th>
              <th scope="col">Time</th>
              <th scope="col">Time breakdown</th>
              <th scope="col">To</th>
              <th scope="col">Device</th>
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
