import type { InsightChange, InsightFirst, InsightRow, MissCost } from '@sonde/queries'
import {
  INSIGHT_KINDS,
  INSIGHT_MEASURES,
  type InsightKind,
  type InsightKindId,
  type InsightMeasure,
} from '@sonde/queries/contract'
import type { ReactNode } from 'react'
import { countOf, formatExact, formatRate } from '../../../../../../format/format-count.ts'
import { formatDuration } from '../../../../../../format/format-time.ts'
import { InsightValue } from '../../../../../../parts/insights/insight-value.tsx'
import { ChangeText } from '../../../../../../parts/performance/change-cell.tsx'
import { ExtrapolatedCount } from '../../../../../../parts/performance/extrapolated-count.tsx'
import { ReleaseLink } from '../../../../../../parts/release-link.tsx'
import { Ago } from '../../../../../../ui/time.tsx'
import { UserText } from '../../../../../../ui/user-text.tsx'

type Props = {
  readonly kind: InsightKindId
  readonly row: InsightRow
  /** Undefined when there is nothing to compare with. */
  readonly compared: InsightChange | undefined
  readonly first: InsightFirst | undefined
  readonly cost: MissCost | undefined
}

/** A single row is all of the time there is. */
const LEFT_OUT: readonly InsightMeasure[] = ['timeShare', 'perMinute']
const COMPARED = ['p50', 'p75', 'p95', 'failureRate'] as const

export function InsightFigures({ kind, row, compared, first, cost }: Props) {
  const { measures, noun, peer }: InsightKind = INSIGHT_KINDS[kind]
  return (
    <dl className="transaction-figures">
      <Figure name="Count" about="Extrapolated from sampled data">
        <strong>
          <ExtrapolatedCount count={row.count} samples={row.samples} noun={noun[0]} />
        </strong>
        <span className="muted">
          {row.perMinute === undefined
            ? countOf(row.routes, 'route')
            : `${formatRate(row.perMinute)} per minute`}
        </span>
      </Figure>
      <Figure name="Time spent" about="Sum of durations">
        <strong className="num">{formatDuration(row.totalMs)}</strong>
        <span className="muted">{countOf(row.routes, 'route')}</span>
      </Figure>
      {measures
        .filter((measure) => !LEFT_OUT.includes(measure))
        .map((measure) => {
          const known = COMPARED.find((each) => each === measure)
          return (
            <Figure key={measure} {...INSIGHT_MEASURES[measure]}>
              <strong>
                <InsightValue measure={measure} value={row[measure]} />
              </strong>
              {known && compared && (
                <ChangeText
                  change={compared.changes[known]?.change}
                  before={compared.changes[known]?.before}
                  measure={known}
                  samples={compared.samples}
                />
              )}
            </Figure>
          )
        })}
      {cost && (
        <Figure
          name="Cost of a miss"
          about={`p75 of ${formatExact(cost.missed)} transactions with a miss against ${formatExact(cost.hit)} without one`}
        >
          <strong className="num">
            {cost.missedMs >= cost.hitMs ? '+' : '−'}
            {formatDuration(Math.abs(cost.missedMs - cost.hitMs))}
          </strong>
          <span className="muted">
            {formatDuration(cost.missedMs)} with a miss, {formatDuration(cost.hitMs)} without
          </span>
        </Figure>
      )}
      {peer !== undefined && row.peer !== '' && (
        <Figure name={peer} about={peer}>
          <strong>
            <UserText text={row.peer} />
          </strong>
        </Figure>
      )}
      {first && (
        <Figure name="First seen" about="Of all that is kept, in the selected environments">
          <strong>
            <Ago atMs={first.firstMs} />
          </strong>
          {first.release !== '' && <ReleaseLink release={first.release} />}
        </Figure>
      )}
    </dl>
  )
}

type FigureProps = { readonly name: string; readonly about: string; readonly children: ReactNode }

function Figure({ name, about, children }: FigureProps) {
  return (
    <div title={about}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
