import { Link, useParams } from '@sonde/router'
import type { ReactNode } from 'react'
import { paths } from '../../../paths.ts'
import { UserText } from '../../../ui/user-text.tsx'

type SettingsHeadProps = {
  /** Of the organization, or of what the page is about. */
  readonly name: string
  readonly here:
    | 'members'
    | 'teams'
    | 'channels'
    | 'trackers'
    | 'model'
    | 'status'
    | 'sso'
    | 'audit'
    | 'storage'
    | 'personal-data'
    | 'export'
    | 'recently-deleted'
  /** What it is, after the name. */
  readonly children: ReactNode
}

/** The head of a page of an organization's settings, with the way to the others. */
export function SettingsHead({ name, here, children }: SettingsHeadProps) {
  const { org } = useParams<'org'>()
  const pages = [
    ['members', 'Members and tokens', paths.orgSettings(org)],
    ['teams', 'Teams', paths.teams(org)],
    ['channels', 'Channels', paths.channels(org)],
    ['trackers', 'Issue trackers', paths.trackers(org)],
    ['model', 'Language model', paths.languageModel(org)],
    ['status', 'Status page', paths.statusPage(org)],
    ['sso', 'Single sign-on', paths.singleSignOn(org)],
    ['audit', 'Audit log', paths.audit(org)],
    ['storage', 'Storage', paths.orgStorage(org)],
    ['personal-data', 'Personal data', paths.orgPersonalData(org)],
    ['export', 'Export', paths.orgExport(org)],
    ['recently-deleted', 'Recently deleted', paths.recentlyDeleted(org)],
  ] as const
  return (
    <div className="page-head">
      <h1>
        <UserText text={name} /> {children}
      </h1>
      <nav className="segmented segmented-small" aria-label="Settings of the organization">
        {pages.map(([id, page, path]) => (
          <Link key={id} to={path} aria-current={id === here ? 'page' : undefined}>
            {page}
          </Link>
        ))}
      </nav>
    </div>
  )
}
