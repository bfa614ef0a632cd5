import { UserText } from '../../../ui/user-text.tsx'
import type { TokenRow } from './token-list.tsx'

/** A token made behind somebody's back is seen here, before their password is. */
export function RecentTokens({ tokens }: { readonly tokens: readonly TokenRow[] }) {
  const recent = tokens.filter(({ isRecent }) => isRecent)
  if (recent.length === 0) return null
  return (
    <p className="token-notice">
      Created in the last 7 days:{' '}
      {recent.map(({ id, name }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <strong>
            <UserText text={name} />
          </strong>
        </span>
      ))}
      . Not you? Delete {recent.length === 1 ? 'it' : 'them'} and <a href="#password">change your password</a>
      .
    </p>
  )
}
