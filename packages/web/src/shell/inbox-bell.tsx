import './inbox-bell.css'
import { Link } from '@sonde/router'
import { useEffect, useState } from 'react'
import { paths } from '../paths.ts'
import { Icon } from '../ui/icon.tsx'

const ASK_EVERY_MS = 20_000
/** The server counts no further. */
const MAX_UNREAD = 100

/** `unread`: when the page was loaded. Asks again now and then, and when somebody comes back to the tab. */
export function InboxBell({ unread }: { readonly unread: number }) {
  const [count, setCount] = useState(unread)
  // A page that was loaded since knows better than what was asked before.
  const [loaded, setLoaded] = useState(unread)
  if (loaded !== unread) {
    setLoaded(unread)
    setCount(unread)
  }
  useEffect(() => {
    const abort = new AbortController()
    const ask = async (): Promise<void> => {
      if (document.visibilityState !== 'visible') return
      try {
        const answer = await fetch(paths.inboxCount(), {
          signal: abort.signal,
          headers: { accept: 'application/json' },
        })
        setCount(((await answer.json()) as { readonly unread: number }).unread)
      } catch {
        // No network, or signed out meanwhile: the number stays as it was.
      }
    }
    const timer = setInterval(() => void ask(), ASK_EVERY_MS)
    const seen = (): void => void ask()
    document.addEventListener('visibilitychange', seen)
    return () => {
      abort.abort()
      clearInterval(timer)
      document.removeEventListener('visibilitychange', seen)
    }
  }, [])
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
