import { VITAL_NAMES, type VitalName } from '@sonde/protocol/web-vitals'
import type { ReleaseNavigations, VitalChange, VitalOverviewRow } from '@sonde/queries'
import { formatExact } from '../../../../format/format-count.ts'
import { changeText } from '../../../../parts/performance/change-text.ts'
import { formatRateShare } from '../../../../parts/performance/format-rate.ts'
import { ratingOf } from '../../../../parts/vitals/vital-rating.ts'
import { RATING_WORDS, VITAL_WORDS, vitalText, vitalTitle } from '../../../../parts/vitals/vital-words.ts'
import { ChangeText } from '../../../../parts/vitals/change-text.tsx'
import { ReleaseLink } from '../../../../parts/release-link.tsx'

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

/** Web vitals and navigations that went wrong, of both, with by how much they differ and whether that is known. */
export function ReleaseSpeed({ compared }: { readonly compared: ComparedSpeed }) {
  const { release, before, vitals, own, others, navigations } = compared
  const isTold = (name: VitalName): boolean => [...own, ...others].some((row) => row.name === name)
  return (
    <div className="perf-scroll" role="region" aria-label="Web vitals and navigations of both" tabIndex={0}>
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
          {VITAL_NAMES.filter(isTold).map((name) => {
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
                    <span className="muted">only one of them told it</span>
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
      title={`${formatExact(row.samples)} visits measured`}
    >
      <span className="num">{vitalText(name, row.p75)}</span>{' '}
      <span className="vital-rating">{rating ? RATING_WORDS[rating] : 'few'}</span>
    </td>
  )
}

function NavigationRow({ navigations }: { readonly navigations: ReleaseNavigations }) {
  const { release, before, change } = navigations
  if (!release && !before) return null
  const text = changeText(change, 'failureRate')
  return (
    <tr>
      <th
        scope="row"
        title="Navigations that hung, were left, failed or fell back, of those somebody waited for"
      >
        Navigations in trouble
      </th>
      <td>
        {text ? (
          <span className={`change change-${text.kind}`} title={`95 % confidence interval ${text.between}`}>
            <span className="num">{text.by}</span> <span className="change-verdict">{text.verdict}</span>
            <span className="change-between num">{text.between}</span>
          </span>
        ) : (
          <span
            className="muted"
            title={`${formatExact(release?.samples ?? 0)} and ${formatExact(before?.samples ?? 0)} navigations: too few to compare`}
          >
            too few to compare
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
