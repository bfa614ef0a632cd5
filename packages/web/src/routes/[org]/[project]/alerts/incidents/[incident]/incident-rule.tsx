import { type DataOf, Link, useParams } from '@sonde/router'
import { paths } from '../../../../../../paths.ts'
import { UserText } from '../../../../../../ui/user-text.tsx'
import type { load } from './page.server.ts'

type Props = Pick<DataOf<typeof load>, 'incident' | 'about'>

/** The rule or the monitor that opened the incident, with the way to it. */
export function IncidentRule({ incident: { ruleId, ruleName }, about }: Props) {
  const { org, project } = useParams<'org' | 'project'>()
  const isOfMonitor = about.kind === 'monitor'
  const to = isOfMonitor
    ? about.monitorId === undefined
      ? undefined
      : (about.of === 'cron' ? paths.cron : paths.uptimeMonitor)(org, project, about.monitorId)
    : ruleId === undefined
      ? undefined
      : paths.alertRule(org, project, ruleId)
  return (
    <div>
      <dt>{isOfMonitor ? 'Monitor' : 'Rule'}</dt>
      <dd>
        {to === undefined ? (
          <>
            <UserText text={ruleName} /> <span className="muted">(deleted)</span>
          </>
        ) : (
          <Link to={to}>
            <UserText text={ruleName} />
          </Link>
        )}
      </dd>
    </div>
  )
}
