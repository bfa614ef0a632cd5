import '../../../../../../parts/forms/settings.css'
import '../../uptime.css'
import { type DataOf, Link, usePageData, useParams } from '@sonde/router'
import { paths } from '../../../../../../paths.ts'
import { UserText } from '../../../../../../ui/user-text.tsx'
import { MonitorForm } from '../../monitor-form.tsx'
import type { load } from './page.server.ts'

export const title = ({ name }: DataOf<typeof load>): string => `Edit ${name} · Sonde`

export default function EditMonitor() {
  const { id, name, draft, ...tellable } = usePageData<typeof load>()
  const { org, project } = useParams<'org' | 'project'>()
  return (
    <div className="page page-narrow">
      <p className="muted">
        <Link className="text-link" to={paths.uptimeMonitor(org, project, id)}>
          <UserText text={name} />
        </Link>
      </p>
      <div className="page-head">
        <h1>Edit monitor</h1>
      </div>
      <MonitorForm draft={draft} {...tellable} />
    </div>
  )
}
