import '../../../../parts/forms/settings.css'
import './alerts.css'
import { Link, usePageData, useParams } from '@sonde/router'
import { SavedNotice } from '../../../../parts/forms/saved-notice.tsx'
import { paths } from '../../../../paths.ts'
import { EmptyState } from '../../../../ui/section.tsx'
import { AlertHead } from './alert-head.tsx'
import type { load } from './page.server.ts'
import { RuleList } from './rule-list.tsx'

export const title = (): string => 'Alerts · Sonde'

export default function Alerts() {
  const { rules, mayWrite } = usePageData<typeof load>()
  const { org, project } = useParams<'org' | 'project'>()
  return (
    <div className="page">
      <h1 className="sr-only">Alert rules of {project}</h1>
      <AlertHead at="rules" mayWrite={mayWrite} />
      <SavedNotice />
      {rules.length > 0 ? (
        <RuleList rules={rules} mayWrite={mayWrite} />
      ) : (
        <EmptyState title="No alert rules" docs="operate/alerts">
          <p>Nobody is told when something breaks in this project.</p>
          {mayWrite ? (
            <ul className="ways-on">
              <li>
                <Link to={paths.newAlert(org, project)}>Tell about new and returning issues</Link>
              </li>
              <li>
                <Link to={paths.newAlert(org, project, 'metric')}>
                  Watch a number, such as failed navigations
                </Link>
              </li>
              <li>
                <Link to={paths.newAlert(org, project, 'release')}>
                  Judge each release after its deployment
                </Link>
              </li>
            </ul>
          ) : (
            <p>Ask a member of the organization to create a rule.</p>
          )}
        </EmptyState>
      )}
    </div>
  )
}
