/** What surrounds every page: title, focus, announcement and scroll position. Renders nothing itself. */
import { useEffect, useRef } from 'react'
import { Outlet, ScrollRestoration, useLoaderData, useLocation } from 'react-router'
import type { PageMeta } from '../shared/page-data.ts'
import { announce, focusPage } from './announce.ts'

export function RootShell() {
  const meta = useLoaderData<PageMeta | undefined>()
  const title = meta?.title ?? ''
  const { pathname, hash } = useLocation()
  const shownPathname = useRef(pathname)

  useEffect(() => {
    if (title !== '') document.title = title
  }, [title])

  useEffect(() => {
    // A new query (a filter, a page of a list) is the same page: the person is typing in it.
    if (shownPathname.current === pathname) return
    shownPathname.current = pathname
    if (hash === '') focusPage()
    announce(document.title)
  }, [pathname, hash])

  return (
    <>
      <Outlet />
      <ScrollRestoration />
    </>
  )
}
