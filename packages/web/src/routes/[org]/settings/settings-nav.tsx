import { Link, useParams } from '@sonde/router'
import { paths } from '../../../paths.ts'

export type SettingsNavProps = {
  readonly here: 'members' | 'teams' | 'channels' | 'trackers' | 'sso' | 'audit'
}

/** Between the pages of an organization's settings. */
export function SettingsNav({ here }: SettingsNavProps) {
  const { org } = useParams<'org'>()
  const pages = [
    ['members', 'Members and tokens', paths.orgSettings(org)],
    ['teams', 'Teams', paths.teams(org)],
    ['channels', 'Channels', paths.channels(org)],
    ['trackers', 'Issue trackers', paths.trackers(org)],
    ['sso', 'Single sign-on', paths.singleSignOn(org)],
    ['audit', 'Audit log', paths.audit(org)],
  ] as const
  return (
    <nav className="segmented segmented-small" aria-label="Settings of the organization">
      {pages.map(([id, name, path]) => (
        <Link key={id} to={path} aria-current={id === here ? 'page' : undefined}>
          {name}
        </Link>
      ))}
    </nav>
  )
}
