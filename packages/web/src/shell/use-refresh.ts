import { useRevalidate } from '@sonde/router'
import { useEffect } from 'react'

/**
 * Fetches the page's data again every `everyMs` while the page can be seen; the next fetch waits for the one before. Undefined:
 * not any more.
 */
export function useRefresh(everyMs: number | undefined): void {
  const revalidate = useRevalidate()
  useEffect(() => {
    if (everyMs === undefined) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    let isStopped = false
    const schedule = (): void => {
      timer = setTimeout(() => void refresh(), everyMs)
    }
    const refresh = async (): Promise<void> => {
      if (document.visibilityState === 'visible') await revalidate()
      if (!isStopped) schedule()
    }
    schedule()
    return () => {
      isStopped = true
      clearTimeout(timer)
    }
  }, [revalidate, everyMs])
}
