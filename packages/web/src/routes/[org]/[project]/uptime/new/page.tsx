import '../../../../../parts/forms/settings.css'
import '../uptime.css'
import { Link, usePageData, useParams } from '@sonde/router'
import { paths } from '../../../../../paths.ts'
import { NEW_MONITOR } from '../monitor-draft.ts'
import { MonitorForm } from '../monitor-form.tsx'
import type { load } from './page.server.ts'

export const title = (): string => 'New uptime monitor · Sonde'

export default function NewMonitor() {
  const tellable = usePageData<typeof load>()
  const { org, project } = useParams<'org' | 'project'>()
  return (
    <div className="page page-narrow">
      <p className="muted">
        <Link className="text-link" to={paths.uptime(org, project)}>
          Uptime
        </Link>
      </p>
      <div className="page-head">
        <h1>New monitor</h1>
      </div>
      <MonitorForm draft={NEW_MONITOR} {...tellable} />
    </div>
  )
}
