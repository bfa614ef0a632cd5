import type { NavigationBreakdown, NavigationDetail, RoutePair } from '@sonde/queries'
import { NAVIGATION_OUTCOMES } from '@sonde/protocol/navigation'
import { formatExact, formatShare } from '../../../../format/format-count.ts'
import { formatDuration } from '../../../../format/format-duration.ts'
import { SplitBar } from '../../../../parts/split-bar.tsx'
import { OUTCOME_WORDS, PREFETCH_WORDS, TRIGGER_WORDS } from './navigation-words.ts'
import { SlowestList } from './slowest-list.tsx'

type Props = {
  readonly org: string
  readonly pairs: readonly Pick<RoutePair, 'outcomes'>[]
  readonly parts: NavigationBreakdown
  readonly slowest: readonly NavigationDetail[]
}

/** What is asked of one pair: how it ends, what sets it off, whether fetching ahead helps, and the slowest of it. */
export function PairPanel({ org, pairs, parts, slowest }: Props) {
  return (
    <div className="nav-panel">
      <div className="nav-columns">
        <Outcomes pairs={pairs} />
        <Parts
          title="Set off by"
          parts={parts.triggers.map(({ name, ...rest }) => ({
            ...rest,
            name: TRIGGER_WORDS[name],
            about: '',
          }))}
        />
        <Parts
          title="By what was fetched ahead"
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
      <h3 id="pair-outcomes">How they ended</h3>
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
        <p className="muted">Nobody told.</p>
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
              <th scope="col" className="col-num" title="Three of four were seen at least as fast">
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
