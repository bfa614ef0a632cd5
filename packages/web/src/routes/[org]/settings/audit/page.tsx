import { Link, usePageData, useParams } from '@sonde/router'
import { AuditScreen } from '../../../../parts/audit/audit-screen.tsx'
import { paths } from '../../../../paths.ts'
import { EmptyState } from '../../../../ui/section.tsx'
import { SettingsHead } from '../settings-head.tsx'
import type { load } from './page.server.ts'

export function title(data: unknown) {
  return `Audit log · ${(data as { orgName: string }).orgName} · Sonde`
}

export default function OrgAudit() {
  const { orgName, log } = usePageData<typeof load>()
  const { org } = useParams<'org'>()
  return (
    <div className="page page-narrow">
      <SettingsHead name={orgName} here="audit">
        <span className="muted">audit log</span>
      </SettingsHead>
      {log ? (
        <>
          <p className="muted">
            Changes in this organization, and sign-ins of its members. Owners and admins can see it.
          </p>
          <AuditScreen {...log} here={(search) => paths.audit(org, search)} download={paths.auditFile(org)} />
        </>
      ) : (
        <EmptyState title="Only owners and admins can see the audit log">
          <p>
            Ask one of them for the admin role. They are listed under{' '}
            <Link to={paths.orgSettings(org)}>Members and tokens</Link>.
          </p>
        </EmptyState>
      )}
    </div>
  )
}
