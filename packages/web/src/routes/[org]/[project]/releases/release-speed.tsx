import { VITAL_NAMES, type VitalName } from '@sonde/protocol/web-vitals'
import type { ReleaseNavigations, VitalChange, VitalOverviewRow } from '@sonde/queries'
import { formatExact, formatRateShare } from '../../../../format/format-count.ts'
import { changeText } from '../../../../parts/performance/change-text.ts'
import { ReleaseLink } from '../../../../parts/release-link.tsx'
import { ChangeText } from '../../../../parts/vitals/change-text.tsx'
import {
  RATING_WORDS,
  ratingOf,
  VITAL_WORDS,
  vitalText,
  vitalTitle,
} from '../../../../parts/vitals/vital-words.ts'

export type ComparedSpeed = {
  readonly release: string
  readonly before: string
  readonly vitals: readonly VitalChange[]
  readonly own: readonly VitalOverviewRow[]
  readonly others: readonly VitalOverviewRow[]
  readonly navigations: ReleaseNavigations
}

export const hasSpeed = ({ own, others, navigations }: ComparedSpeed): boolean =>
  own.length + others.length > 0 || navigations.release !== undefined || navigations.before !== undefined

/** Web vitals and failed navigations of two releases, with their difference and its significance. */
export function ReleaseSpeed({ compared }: { readonly compared: ComparedSpeed }) {
  const { release, before, vitals, own, others, navigations } = compared
  const isMeasured = (name: VitalName): boolean => [...own, ...others].some((row) => row.name === name)
  return (
    <div
      className="perf-scroll"
      role="region"
      aria-label="Web vitals and navigations by release"
      tabIndex={0}
    >
      <table className="perf-table release-speed">
        <thead>
          <tr>
            <th scope="col">75th percentile</th>
            <th scope="col">Change</th>
            <th scope="col" className="col-num">
              <ReleaseLink release={release} />
            </th>
            <th scope="col" className="col-num">
              <ReleaseLink release={before} />
            </th>
          </tr>
        </thead>
        <tbody>
          {VITAL_NAMES.filter(isMeasured).map((name) => {
            const change = vitals.find((each) => each.name === name)
            return (
              <tr key={name}>
                <th scope="row" title={`${VITAL_WORDS[name].long}: ${VITAL_WORDS[name].meaning}`}>
                  {vitalTitle(name)}
                </th>
                <td>
                  {change ? (
                    <ChangeText {...change} against={`release ${before}`} />
                  ) : (
                    <span className="muted">only one release has data</span>
                  )}
                </td>
                <VitalValue name={name} row={own.find((row) => row.name === name)} />
                <VitalValue name={name} row={others.find((row) => row.name === name)} />
              </tr>
            )
          })}
          <NavigationRow navigations={navigations} />
        </tbody>
      </table>
    </div>
  )
}

function VitalValue({ name, row }: { readonly name: VitalName; readonly row: VitalOverviewRow | undefined }) {
  if (!row) return <td className="col-num muted">–</td>
  const rating = ratingOf(row)
  return (
    <td
      className={`col-num ${rating ? `vital-${rating}` : 'muted'}`}
      title={`${formatExact(row.samples)} page views`}
    >
      <span className="num">{vitalText(name, row.p75)}</span>{' '}
      <span className="vital-rating">{rating ? RATING_WORDS[rating] : 'low n'}</span>
    </td>
  )
}

function NavigationRow({ navigations }: { readonly navigations: ReleaseNavigations }) {
  const { release, before, change } = navigations
  if (!release && !before) return null
  const text = changeText(change, 'failureRate')
  return (
    <tr>
      <th scope="row" title="Stuck, abandoned, failed or hard navigations">
        Failed or abandoned navigations
      </th>
      <td>
        {text ? (
          <span className={`change change-${text.kind}`} title={`95% confidence interval ${text.between}`}>
            <span className="num">{text.by}</span> <span className="change-verdict">{text.verdict}</span>
            <span className="change-between num">{text.between}</span>
          </span>
        ) : (
          <span
            className="muted"
            title={`${formatExact(release?.samples ?? 0)} and ${formatExact(before?.samples ?? 0)} navigations: not enough data to compare`}
          >
            not enough data
          </span>
        )}
      </td>
      {[release, before].map((side, index) =>
        side ? (
          <td
            key={index}
            className="col-num num"
            title={`${formatExact(side.troubled)} of ${formatExact(side.count)} navigations`}
          >
            {formatRateShare(side.count > 0 ? side.troubled / side.count : 0)}
          </td>
        ) : (
          <td key={index} className="col-num muted">
            –
          </td>
        ),
      )}
    </tr>
  )
}
