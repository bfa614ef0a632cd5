import { UserText } from '../ui/user-text.tsx'
import { formatDuration, formatShift } from '../format/format-duration.ts'
import { ExtrapolatedCount } from './extrapolated-count.tsx'
import { type ShownVital, VitalCell } from './vital-cell.tsx'

type Name = 'lcp' | 'inp' | 'cls' | 'fcp' | 'ttfb'
type Row = { readonly route: string; readonly count: number; readonly samples: number } & {
  readonly [Each in Name]?: ShownVital
}
type Props = {
  readonly rows: readonly Row[]
  readonly names: readonly Name[]
  readonly thresholds: Readonly<Record<Name, readonly [number, number]>>
}

const MEANINGS: Readonly<Record<Name, string>> = {
  lcp: 'Largest Contentful Paint: when the largest part of the page was seen',
  inp: 'Interaction to Next Paint: how long presses and keys took to show',
  cls: 'Cumulative Layout Shift: how much jumped about',
  fcp: 'First Contentful Paint: when anything was seen',
  ttfb: 'Time to First Byte: how long the server took to begin its answer',
}

/** Each route by the visit that is worse than three of four. */
export function VitalTable({ rows, names, thresholds }: Props) {
  return (
    <>
      <p className="muted perf-lead">
        The 75th percentile of each route: three of four visits were at least as good. Under it the shares of
        visits that were good, need improvement, or were poor.
      </p>
      <div className="perf-scroll" role="region" aria-label="Web vitals by route" tabIndex={0}>
        <table className="perf-table">
          <thead>
            <tr>
              <th scope="col">Route</th>
              <th scope="col" className="col-num">
                Visits
              </th>
              {names.map((name) => (
                <th key={name} scope="col" title={meaningOf(name, thresholds[name])}>
                  {name.toUpperCase()}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.route}>
                <th scope="row" className="perf-name">
                  <UserText text={row.route} />
                </th>
                <td className="col-num">
                  <ExtrapolatedCount count={row.count} samples={row.samples} noun="visit" />
                </td>
                {names.map((name) => (
                  <VitalCell
                    key={name}
                    vital={row[name]}
                    isShift={name === 'cls'}
                    thresholds={thresholds[name]}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

function meaningOf(name: Name, [good, poor]: readonly [number, number]): string {
  const text = name === 'cls' ? formatShift : formatDuration
  return `${MEANINGS[name]}. Good up to ${text(good)}, poor above ${text(poor)}.`
}
