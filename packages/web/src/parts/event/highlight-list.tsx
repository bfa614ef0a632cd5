import type { NormalizedEvent } from '@sonde/protocol/event'
import { Link, useParams } from '@sonde/router'
import { paths } from '../../paths.ts'
import { ReleaseLink } from '../release-link.tsx'
import { UserText } from '../../ui/user-text.tsx'
import { highlights } from './highlights.ts'

export function HighlightList({ event }: { readonly event: NormalizedEvent }) {
  const { org } = useParams<'org'>()
  const shown = highlights(event)
  if (shown.length === 0) return null
  return (
    <dl className="highlights">
      {shown.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {name === 'Trace' ? (
              <Link to={paths.trace(org, value)} title="View full trace">
                <UserText text={value} />
              </Link>
            ) : name === 'Release' ? (
              <ReleaseLink release={value} />
            ) : (
              <UserText text={value} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}
