/**
 * Next.js app router. Its `instrumentation-client.ts` hook tells the start; a client component in the root layout,
 * which knows the parameters, tells the template and that the page is there:
 * https://nextjs.org/docs/app/api-reference/file-conventions/instrumentation-client
 */
import { activeNavigations, type OpenNavigation } from '@sonde/browser'
import { useLayoutEffect } from 'react'
import { templateOfParams } from '../route-template.ts'

const ROUTER = 'next'

let open: OpenNavigation | undefined
let shown: string | undefined

/** `export { onRouterTransitionStart } from '@sonde/react/next'` in `instrumentation-client.ts`, after `init`. */
export function onRouterTransitionStart(url: string, _type: 'push' | 'replace' | 'traverse'): void {
  const recorder = activeNavigations()
  if (!recorder) return
  recorder.take()
  const { pathname, search } = new URL(url, location.href)
  if (pathname + search === shown) return
  open = recorder.start({ to: pathname, router: ROUTER })
}

export type NextHooks = {
  readonly usePathname: () => string | null
  readonly useParams: () => Readonly<Record<string, string | readonly string[] | undefined>> | null
  readonly useSearchParams: () => { toString(): string } | null
}

/**
 * Makes the component: `export const Navigations = nextNavigations({ usePathname, useParams, useSearchParams })` in a file
 * with `'use client'`. Wrap it in `<Suspense>`, as Next.js asks of whatever reads the query.
 */
export function nextNavigations(hooks: NextHooks): () => null {
  return function Navigations() {
    const pathname = hooks.usePathname() ?? '/'
    const query = hooks.useSearchParams()?.toString() ?? ''
    const page = query ? `${pathname}?${query}` : pathname
    const route = templateOfParams(pathname, hooks.useParams() ?? {})
    useLayoutEffect(() => {
      const recorder = activeNavigations()
      if (!recorder || shown === page) return
      const isFirst = shown === undefined
      shown = page
      if (isFirst) {
        recorder.take()
        recorder.show(pathname, route)
        return
      }
      // A redirect ends elsewhere than it began.
      if (open && open.path !== pathname) open.redirect(route)
      if (open?.path !== pathname) open = recorder.start({ to: pathname, route, router: ROUTER })
      open.route(route)
      open.end('committed')
      open = undefined
    }, [page, pathname, route])
    return null
  }
}
