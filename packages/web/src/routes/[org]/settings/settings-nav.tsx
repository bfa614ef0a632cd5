import { Link, useParams } from '@sonde/router'
import { paths } from '../../../paths.ts'

export type SettingsNavProps = { readonly here: 'members' | 'channels' }

/** Between the pages of an organization's settings. */
export function SettingsNav({ here }: SettingsNavProps) {
  const { org } = useParams<'org'>()
  return (
    <nav className="segmented segmented-small" aria-label="Settings of the organization">
      <Link to={paths.orgSettings(org)} aria-current={here === 'members' ? 'page' : undefined}>
        Members and tokens
      </Link>
      <Link to={paths.channels(org)} aria-current={here === 'channels' ? 'page' : undefined}>
        Channels
      </Link>
    </nav>
  )
}
