import './inbox-bell.css'
import { Link } from '@sonde/router'
import { paths } from '../paths.ts'
import { Icon } from '../ui/icon.tsx'
import { useUnread } from './use-unread.ts'

/** The server counts no further. */
const MAX_UNREAD = 100

/** `unread`: when the page was loaded. */
export function InboxBell({ unread }: { readonly unread: number }) {
  const count = useUnread(unread)
  const text = count >= MAX_UNREAD ? `${MAX_UNREAD - 1}+` : String(count)
  const label = count === 0 ? 'Inbox' : `Inbox: ${text} unread`
  return (
    <Link to={paths.inbox()} className="inbox-bell" aria-label={label} title={label}>
      <Icon name="bell" />
      {count > 0 && (
        <span className="inbox-count" aria-hidden="true">
          {text}
        </span>
      )}
    </Link>
  )
}
