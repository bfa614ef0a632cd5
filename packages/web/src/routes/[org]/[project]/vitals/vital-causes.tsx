import type { VitalName } from '@sonde/protocol/web-vitals'
import type { ReactNode } from 'react'
import { ExtrapolatedCount } from '../../../../parts/performance/extrapolated-count.tsx'
import { ScriptPlace } from '../../../../parts/scripts/script-place.tsx'
import { Section } from '../../../../ui/section.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import { FewOr } from './few-or.tsx'
import type { CausesShown } from './load-vitals.server.ts'

const ELEMENTS: Readonly<Partial<Record<VitalName, string>>> = {
  lcp: 'What was painted last and largest',
  inp: 'What was pressed',
  cls: 'What moved most',
}
const SOURCES: Readonly<Partial<Record<VitalName, string>>> = {
  lcp: 'Pictures and files that were painted',
  inp: 'Scripts that ran longest meanwhile',
}

type Props = CausesShown & {
  readonly org: string
  readonly project: string
  readonly name: VitalName
}
type Figures = {
  readonly p75: number
  readonly samples: number
  readonly count: number
  readonly bad: number
}

/** Elements and scripts by the visits that they cost their good rating. Nothing where no reporter named one. */
export function VitalCauses({ org, project, name, elements, sources }: Props) {
  const [ofElements, ofSources] = [ELEMENTS[name], SOURCES[name]]
  return (
    <div className="vital-causes">
      {ofElements !== undefined && elements.length > 0 && (
        <Section id="elements" title={ofElements} note="by the visits that were not good">
          <CauseTable
            name={name}
            head="Element"
            rows={elements.map((row) => ({
              ...row,
              key: row.element,
              what: <UserText text={row.element} className="vital-code" />,
            }))}
          />
        </Section>
      )}
      {ofSources !== undefined && sources.length > 0 && (
        <Section id="scripts" title={ofSources} note="by the visits that were not good">
          <CauseTable
            name={name}
            head={name === 'inp' ? 'Script' : 'File'}
            rows={sources.map((row) => ({
              ...row,
              key: JSON.stringify(row.script),
              what: <ScriptPlace org={org} project={project} script={row.script} />,
            }))}
          />
        </Section>
      )}
    </div>
  )
}

type Row = Figures & { readonly key: string; readonly what: ReactNode }

function CauseTable({ name, head, rows }: { name: VitalName; head: string; rows: readonly Row[] }) {
  return (
    <div className="perf-scroll" role="region" aria-label={`${head}s`} tabIndex={0}>
      <table className="perf-table">
        <thead>
          <tr>
            <th scope="col">{head}</th>
            <th scope="col" className="col-num">
              p75
            </th>
            <th scope="col" className="col-num" title="Visits in which it decided the value">
              Visits
            </th>
            <th scope="col" className="col-num" title="Of them, those whose value was not good">
              Not good
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, what, p75, samples, count, bad }) => (
            <tr key={key}>
              <th scope="row" className="perf-name">
                {what}
              </th>
              <td className="col-num">
                <FewOr name={name} value={p75} samples={samples} />
              </td>
              <td className="col-num">
                <ExtrapolatedCount count={count} samples={samples} noun="visit" />
              </td>
              <td className="col-num">
                <ExtrapolatedCount count={bad} samples={Math.round((bad * samples) / count)} noun="visit" />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
