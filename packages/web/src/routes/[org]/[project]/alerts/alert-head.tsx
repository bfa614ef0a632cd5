import { Link, useParams } from '@sonde/router'
import type { ReactNode } from 'react'
import { paths } from '../../../../paths.ts'

type Props = {
  readonly at: 'rules' | 'incidents'
  /** Whether to offer a new rule. */
  readonly mayWrite: boolean
  readonly children?: ReactNode
}

/** Rules or incidents, and the way to a new rule. */
export function AlertHead({ at, mayWrite, children }: Props) {
  const { org, project } = useParams<'org' | 'project'>()
  return (
    <div className="alert-head">
      <nav className="segmented" aria-label="Alerts">
        <Link to={paths.alerts(org, project)} aria-current={at === 'rules' ? 'page' : undefined}>
          Rules
        </Link>
        <Link
          to={paths.incidents(org, project, { state: 'open' })}
          aria-current={at === 'incidents' ? 'page' : undefined}
        >
          Incidents
        </Link>
        <Link to={paths.crons(org, project)}>Crons</Link>
        <Link to={paths.uptime(org, project)}>Uptime</Link>
      </nav>
      {children}
      {mayWrite && (
        <Link className="button button-primary alert-new" to={paths.newAlert(org, project)} prefetch="intent">
          New rule
        </Link>
      )}
    </div>
  )
}
