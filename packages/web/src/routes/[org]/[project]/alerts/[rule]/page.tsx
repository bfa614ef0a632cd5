import '../../../../../charts/charts.css'
import '../../../../../parts/forms/settings.css'
import '../../../../../parts/issue-list/issues.css'
import '../alerts.css'
import { type DataOf, Link, usePageData, useParams } from '@sonde/router'
import { paths } from '../../../../../paths.ts'
import { Ago } from '../../../../../ui/time.tsx'
import { UserText } from '../../../../../ui/user-text.tsx'
import { RuleActions } from '../rule-actions.tsx'
import { RuleForm } from '../rule-form.tsx'
import { RuleState } from '../rule-list.tsx'
import { useBackKey } from '../use-alert-keys.ts'
import type { load } from './page.server.ts'

export const title = (data: unknown): string =>
  `${(data as DataOf<typeof load>).rule.name} · Alert rule · Sonde`

export default function AlertRule() {
  const { rule, ...data } = usePageData<typeof load>()
  const { org, project } = useParams<'org' | 'project'>()
  useBackKey(paths.alerts(org, project))
  return (
    <div className="page">
      <p className="muted">
        <Link to={paths.alerts(org, project)}>Alert rules</Link>
      </p>
      <div className="page-head alert-rule-head">
        <h1>
          <UserText text={rule.name} /> <RuleState rule={rule} />
        </h1>
        {data.mayWrite && <RuleActions rule={rule} />}
      </div>
      <p className="muted alert-about">
        {rule.isDefault ? 'Made with the project' : <UserText text={`Created by ${rule.createdBy}`} />},{' '}
        {rule.lastFiredMs === undefined ? (
          'never fired.'
        ) : (
          <>
            last fired <Ago atMs={rule.lastFiredMs} />.{' '}
            <Link to={paths.incidents(org, project, { rule: String(rule.id) })}>Its incidents</Link>
          </>
        )}
      </p>
      {rule.trouble !== '' && (
        <p className="field-error">
          Can’t be evaluated: <UserText text={rule.trouble} />
        </p>
      )}
      {!data.mayWrite && (
        <p className="muted">Read-only. Ask a member of the organization to make changes.</p>
      )}
      <RuleForm ruleId={rule.id} {...data} />
    </div>
  )
}
