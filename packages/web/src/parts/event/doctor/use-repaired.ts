import { useRevalidate } from '@sonde/router'
import { useEffect } from 'react'

const LOOK_EVERY_MS = 5_000

/**
 * Fetches the page's data again when stored events of the project were read again: a source map came while somebody looked
 * at what it makes readable. Asks nothing while the page cannot be seen. `isUnderWay`: the page was made during one.
 */
export function useRepaired(org: string, project: string, isUnderWay: boolean): void {
  const revalidate = useRevalidate()
  useEffect(() => {
    const stopping = new AbortController()
    const { signal } = stopping
    const url = `/api/0/projects/${encodeURIComponent(org)}/${encodeURIComponent(project)}/source-maps/repair/`
    let known: string | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = async (): Promise<void> => {
      clearTimeout(timer)
      if (document.visibilityState !== 'visible') return
      try {
        const answer = await fetch(url, { signal })
        const repairs = answer.ok ? await answer.text() : known
        const isNews = known === undefined ? isUnderWay : repairs !== known
        known = repairs
        if (isNews) await revalidate()
      } catch {
        // Sonde is away: the next look finds it again.
      }
      if (!signal.aborted) timer = setTimeout(() => void look(), LOOK_EVERY_MS)
    }
    const seen = (): void => void look()
    document.addEventListener('visibilitychange', seen)
    void look()
    return () => {
      stopping.abort()
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', seen)
    }
  }, [revalidate, org, project, isUnderWay])
}
