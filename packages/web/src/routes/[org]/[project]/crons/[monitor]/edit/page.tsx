import '../../../../../../parts/forms/settings.css'
import '../../crons.css'
import { type DataOf, Link, usePageData, useParams } from '@sonde/router'
import { usePaths } from '../../../../../../shell/use-paths.ts'
import { UserText } from '../../../../../../ui/user-text.tsx'
import { CronForm } from '../../cron-form.tsx'
import type { load } from './page.server.ts'

export const title = ({ name }: DataOf<typeof load>): string => `Edit ${name} · Sonde`

export default function EditCron() {
  const { id, name, ...data } = usePageData<typeof load>()
  const { org, project } = useParams<'org' | 'project'>()
  const kept = usePaths()
  return (
    <div className="page page-narrow">
      <p className="muted">
        <Link className="text-link" to={kept.cron(org, project, id)}>
          <UserText text={name} />
        </Link>
      </p>
      <div className="page-head">
        <h1>Edit monitor</h1>
      </div>
      <p className="muted">
        Check-ins that send a monitor_config replace the schedule, its limits and thresholds.
      </p>
      <CronForm isNew={false} {...data} />
    </div>
  )
}
