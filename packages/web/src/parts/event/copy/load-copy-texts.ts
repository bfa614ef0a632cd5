import { useEffect } from 'react'

type CopyTexts = typeof import('./copy-texts.ts')

/** The same module each time: the browser keeps it. */
export const loadCopyTexts = (): Promise<CopyTexts> => import('./copy-texts.ts')

/** Fetches it once the page is there: Safari lets a press write to the clipboard only when nothing is waited for. */
export function useCopyTexts(): void {
  // A build that is gone is asked for again by the press itself.
  useEffect(() => void loadCopyTexts().catch(() => {}), [])
}
