import { Link, usePageData } from '@sonde/router'
import { AuditScreen } from '../../../parts/audit/audit-screen.tsx'
import { paths } from '../../../paths.ts'
import type { load } from './page.server.ts'

export function title() {
  return 'Audit log · Sonde'
}

export default function InstallationAudit() {
  const log = usePageData<typeof load>()
  return (
    <div className="page page-narrow">
      <div className="page-head">
        <h1>Audit log</h1>
      </div>
      <p className="muted">
        Changes and sign-ins of the whole installation. Only operators can see it. See also{' '}
        <Link className="text-link" to={paths.status()}>
          System status
        </Link>
        .
      </p>
      <AuditScreen {...log} here={paths.installationAudit} download={paths.installationAuditFile()} />
    </div>
  )
}
