import '../../../../../charts/charts.css'
import '../../../../../parts/forms/settings.css'
import '../../../../../parts/issue-list/issues.css'
import '../alerts.css'
import { Link, usePageData, useParams } from '@sonde/router'
import { paths } from '../../../../../paths.ts'
import { RuleForm } from '../rule-form.tsx'
import { useBackKey } from '../use-alert-keys.ts'
import type { load } from './page.server.ts'

export const title = (): string => 'New alert rule · Sonde'

export default function NewAlert() {
  const data = usePageData<typeof load>()
  const { org, project } = useParams<'org' | 'project'>()
  useBackKey(paths.alerts(org, project))
  const { kind } = data.draft
  return (
    <div className="page">
      <div className="page-head">
        <h1>New alert rule</h1>
      </div>
      <nav className="segmented alert-kinds" aria-label="Kind of rule">
        <Link to={paths.newAlert(org, project, 'issue')} aria-current={kind === 'issue' ? 'page' : undefined}>
          Issues
        </Link>
        <Link
          to={paths.newAlert(org, project, 'metric')}
          aria-current={kind === 'metric' ? 'page' : undefined}
        >
          Metric
        </Link>
        <Link
          to={paths.newAlert(org, project, 'release')}
          aria-current={kind === 'release' ? 'page' : undefined}
        >
          Release
        </Link>
      </nav>
      <RuleForm key={kind} {...data} mayWrite />
    </div>
  )
}
