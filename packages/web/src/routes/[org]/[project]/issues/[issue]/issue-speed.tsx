import { lazy, Suspense } from 'react'
import { useJson } from '../../../../../shell/use-json.ts'
import type { IssueSpeed as Speed } from './issue-speed-text.ts'

/** With the answer, not with the page: most issues have none to show. Without its code the rest of the page stays. */
const ShownSpeed = lazy(() => import('./shown-speed.tsx').catch(() => ({ default: () => null })))

/** Fetched when the issue is shown: whether those who had this error waited longer. Nothing where nothing is known. */
export function IssueSpeed({ url }: { readonly url: string }) {
  const { data, state } = useJson<Speed>(url)
  if (state !== 'done' || data === undefined) return null
  return (
    <Suspense fallback={null}>
      <ShownSpeed speed={data} />
    </Suspense>
  )
}
