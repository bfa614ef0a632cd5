import { VITAL_NAMES, type VitalName } from '@sonde/protocol/web-vitals'
import type { VitalChange, VitalOverviewRow } from '@sonde/queries'
import { Link, useLocation, useSearchParams } from '@sonde/router'
import { formatExact } from '../../../../format/format-count.ts'
import { ExtrapolatedCount } from '../../../../parts/performance/extrapolated-count.tsx'
import { SplitBar } from '../../../../parts/split-bar.tsx'
import { ChangeText } from '../../../../parts/vitals/change-text.tsx'
import { fewText, ratingOf } from '../../../../parts/vitals/vital-rating.ts'
import { RATING_WORDS, VITAL_WORDS, vitalText, vitalTitle } from '../../../../parts/vitals/vital-words.ts'
import { withChoice } from './vital-choice.ts'

type Props = {
  readonly overview: readonly VitalOverviewRow[]
  readonly changes: readonly VitalChange[]
  readonly chosen: VitalName | undefined
}

/** The vitals in one line; a click opens one, another click closes it. */
export function VitalTiles({ overview, changes, chosen }: Props) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  return (
    <nav aria-label="Web vitals" className="vital-tiles">
      {VITAL_NAMES.map((name) => {
        const row = overview.find((each) => each.name === name)
        const words = VITAL_WORDS[name]
        return row ? (
          <Link
            key={name}
            className="vital-tile"
            to={pathname + withChoice(params, { vital: name === chosen ? null : name })}
            prefetch="none"
            preventScrollReset
            aria-current={name === chosen || undefined}
            title={`${words.long}: ${words.meaning}`}
          >
            <TileFigures row={row} change={changes.find((each) => each.name === name)} />
          </Link>
        ) : (
          <div key={name} className="vital-tile" title={`${words.long}: ${words.meaning}`}>
            <span className="vital-tile-name">{vitalTitle(name)}</span>
            <span className="muted">no data</span>
          </div>
        )
      })}
    </nav>
  )
}

function TileFigures({
  row,
  change,
}: {
  readonly row: VitalOverviewRow
  readonly change: VitalChange | undefined
}) {
  const { name, p75, count, samples, good, needsImprovement, poor } = row
  const rating = ratingOf(row)
  const split = `${formatExact(good)} good, ${formatExact(needsImprovement)} needs improvement, ${formatExact(poor)} poor`
  return (
    <>
      <span className="vital-tile-name">{vitalTitle(name)}</span>
      <span className={`vital-tile-value ${rating ? `vital-${rating}` : 'muted'}`}>
        <span className="num">{vitalText(name, p75)}</span>{' '}
        {rating && <span className="vital-rating">{RATING_WORDS[rating]}</span>}
      </span>
      <SplitBar
        label={split}
        parts={[
          { className: 'part-good', value: good },
          { className: 'part-fair', value: needsImprovement },
          { className: 'part-poor', value: poor },
        ]}
      />
      <span className="vital-tile-foot muted">
        {rating ? (
          <>
            <ExtrapolatedCount count={count} samples={samples} noun="page view" /> page views
          </>
        ) : (
          fewText(samples)
        )}
      </span>
      {change && <ChangeText {...change} />}
    </>
  )
}
