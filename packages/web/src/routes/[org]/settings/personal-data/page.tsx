import { Link, usePageData, useParams } from '@sonde/router'
import { PersonalDataScreen } from '../../../../parts/personal-data/personal-data-screen.tsx'
import { paths } from '../../../../paths.ts'
import { EmptyState } from '../../../../ui/section.tsx'
import { SettingsHead } from '../settings-head.tsx'
import type { load } from './page.server.ts'

export function title(data: unknown) {
  return `Personal data · ${(data as { orgName: string }).orgName} · Sonde`
}

export default function OrgPersonalData() {
  const { orgName, data } = usePageData<typeof load>()
  const { org } = useParams<'org'>()
  return (
    <div className="page page-narrow">
      <SettingsHead name={orgName} here="personal-data">
        <span className="muted">personal data</span>
      </SettingsHead>
      {data ? (
        <PersonalDataScreen
          {...data}
          where="all projects of this organization"
          download={`${paths.orgPersonalData(org)}/download`}
        />
      ) : (
        <EmptyState title="Only owners and admins can find and erase persons">
          <p>
            Ask one of them for the admin role. They are listed under{' '}
            <Link to={paths.orgSettings(org)}>Members and tokens</Link>.
          </p>
        </EmptyState>
      )}
    </div>
  )
}
