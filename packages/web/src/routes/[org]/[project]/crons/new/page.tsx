import '../../../../../parts/forms/settings.css'
import '../crons.css'
import { Link, usePageData, useParams } from '@sonde/router'
import { usePaths } from '../../../../../shell/use-paths.ts'
import { CronForm } from '../cron-form.tsx'
import type { load } from './page.server.ts'

export const title = (): string => 'New cron monitor · Sonde'

export default function NewCron() {
  const data = usePageData<typeof load>()
  const { org, project } = useParams<'org' | 'project'>()
  const kept = usePaths()
  return (
    <div className="page page-narrow">
      <p className="muted">
        <Link className="text-link" to={kept.crons(org, project)}>
          Cron monitors
        </Link>
      </p>
      <div className="page-head">
        <h1>New monitor</h1>
      </div>
      <CronForm isNew {...data} />
    </div>
  )
}
