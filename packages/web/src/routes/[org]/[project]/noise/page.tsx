import '../../../../parts/forms/settings.css'
import '../../../../parts/figures/status.css'
import './noise.css'
import { NOISE_NAMES, THIN_PER_DAY } from '@sonde/protocol/noise'
import { Link, usePageData, useParams } from '@sonde/router'
import { SavedNotice } from '../../../../parts/forms/saved-notice.tsx'
import { SetupSteps } from '../../../../parts/setup/setup-steps.tsx'
import { paths } from '../../../../paths.ts'
import { Count } from '../../../../ui/count.tsx'
import { EmptyState, Section, TableFrame } from '../../../../ui/section.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import { ClassDetail, ClassTable } from './class-table.tsx'
import type { load } from './page.server.ts'
import { RulesForm } from './rules-form.tsx'

export const title = (): string => 'Noise · Sonde'

export default function Noise() {
  const { totals, classes, reasons, noise, isEmpty, dsn, platform, mayWrite } = usePageData<typeof load>()
  const { org, project } = useParams<'org' | 'project'>()
  const seen = classes.filter(({ kept, thinned }) => kept + thinned > 0)
  return (
    <div className="page">
      <div className="page-head">
        <h1>Noise</h1>
      </div>
      <SavedNotice />
      {isEmpty ? (
        <EmptyState title="No events in this time" docs="noise">
          <p>
            Errors that your code did not cause are listed here by class: browser extensions, in-app browsers,
            bots and more. Choose a longer time, or send an event.
          </p>
          {dsn !== undefined && <SetupSteps platform={platform} dsn={dsn} mayTest={false} />}
        </EmptyState>
      ) : (
        <>
          <Totals totals={totals} />
          <Section id="classes" title="Classes" note="Errors that your code probably did not cause.">
            <ClassTable classes={classes} noise={noise} />
          </Section>
          {seen.map(({ name, rules, examples }) => (
            <Section key={name} id={name} title={NOISE_NAMES[name]}>
              <ClassDetail rules={rules} examples={examples} />
            </Section>
          ))}
          <Section id="reasons" title="Not stored" note="Every event that was not stored, and why.">
            <Reasons reasons={reasons} />
          </Section>
        </>
      )}
      <Section id="rules" title="Rules" note="They apply to new events.">
        <p>
          <strong>Keep</strong> stores the events of a class like any other, and alerts on them.{' '}
          <strong>Thin</strong> stores {THIN_PER_DAY} of each issue and day, and a sample of what comes after
          them; counts stay exact. <strong>Drop</strong> counts them here and stores nothing.{' '}
          <Link className="text-link" to={`${paths.projectSettings(org, project)}#filters`}>
            Inbound filters
          </Link>{' '}
          act before these rules.
        </p>
        <RulesForm noise={noise} mayWrite={mayWrite} />
      </Section>
    </div>
  )
}

type Data = ReturnType<typeof usePageData<typeof load>>

const FIGURES = [
  ['kept', 'Kept', 'Stored in full'],
  ['thinned', 'Thinned', 'Counted with a stored event like it'],
  ['dropped', 'Dropped', 'By a rule of the project'],
  ['refused', 'Refused', 'Over a limit, or not readable'],
  ['discarded', 'Not sent', 'As the SDKs say'],
] as const

function Totals({ totals }: Pick<Data, 'totals'>) {
  return (
    <dl className="figures">
      {FIGURES.map(([name, label, hint]) => (
        <div className="figure" key={name} title={hint}>
          <dt>{label}</dt>
          <dd>
            <Count value={totals[name]} noun="event" />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Reasons({ reasons }: Pick<Data, 'reasons'>) {
  if (reasons.length === 0) return <p className="muted">Every event was stored.</p>
  return (
    <TableFrame label="Reasons">
      <table className="status-table">
        <thead>
          <tr>
            <th scope="col">Why</th>
            <th scope="col">Decided by</th>
            <th scope="col">Category</th>
            <th scope="col" className="num col-end">
              Events
            </th>
          </tr>
        </thead>
        <tbody>
          {reasons.map(({ outcome, reason, category, quantity, says, rule }) => (
            <tr key={`${outcome} ${reason} ${category}`}>
              <td>
                <UserText text={says} />
              </td>
              <td>{rule ? <Link to={rule.to}>{rule.name}</Link> : <span className="muted">no rule</span>}</td>
              <td>{category.replaceAll('_', ' ')}</td>
              <td className="num col-end">
                <Count value={quantity} noun="event" />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  )
}
