import { useEffect, useState } from 'react'

/**
 * How many messages of the inbox are unread. `unread`: when the page was loaded. Asks again when a stream says that it changed, now and
 * then while there is none, and when somebody comes back to the tab.
 */
export function useUnread(unread: number): number {
  const [count, setCount] = useState(unread)
  // A page that was loaded since knows better than what was asked before.
  const [loaded, setLoaded] = useState(unread)
  if (loaded !== unread) {
    setLoaded(unread)
    setCount(unread)
  }
  useEffect(() => {
    let stop: (() => void) | 'stopped' | undefined
    import('./follow-inbox.ts').then(
      ({ followInbox }) => {
        if (stop !== 'stopped') stop = followInbox(setCount)
      },
      // Not loaded: the number is that of the page.
      () => undefined,
    )
    return () => {
      if (typeof stop === 'function') stop()
      stop = 'stopped'
    }
  }, [])
  return count
}
