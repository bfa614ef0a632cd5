/** The route tree with what react-router renders for each node. The same on both sides. */
import { useEffect, useRef } from 'react'
import { Outlet, type RouteObject, ScrollRestoration, useLoaderData, useLocation } from 'react-router'
import type { PageMeta } from '../shared/page-data.ts'
import { type RouteNode, type RouteShape, toRouteTree } from '../shared/route-objects.ts'
import { RouteFailure } from './failure-page.tsx'
import { useRuntime } from './hooks.ts'

export function createRoutes(shape: RouteShape): RouteObject[] {
  return [toRouteObject(toRouteTree(shape))]
}

function toRouteObject(node: RouteNode): RouteObject {
  return {
    id: node.id,
    // Data comes from the data strategy; react-router only runs it for routes that say they load.
    loader: true,
    shouldRevalidate: () => true,
    element: elementOf(node),
    ...(node.kind === 'boundary' ? { errorElement: <RouteFailure /> } : {}),
    ...(node.path === undefined ? {} : { path: node.path }),
    ...(node.children ? { children: node.children.map(toRouteObject) } : {}),
  }
}

function elementOf({ id, kind }: RouteNode) {
  switch (kind) {
    case 'root':
      return <RootShell />
    case 'boundary':
      return <Outlet />
    case 'layout':
      return <LayoutSlot id={id} />
    case 'page':
      return <PageSlot id={id} />
    default:
      return null
  }
}

function PageSlot({ id }: { readonly id: string }) {
  const Page = useRuntime().modules.get(id)?.default
  return Page ? <Page /> : null
}

function LayoutSlot({ id }: { readonly id: string }) {
  const Layout = useRuntime().modules.get(id)?.default
  return Layout ? (
    <Layout>
      <Outlet />
    </Layout>
  ) : (
    <Outlet />
  )
}

/** What surrounds every page: title, focus, announcement and scroll position. Renders nothing itself. */
function RootShell() {
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

let region: HTMLElement | undefined

/** Tells screen readers where a client-side navigation leads: through a live region that cannot be seen. */
function announce(text: string): void {
  if (!region?.isConnected) {
    region = document.createElement('div')
    region.setAttribute('role', 'status')
    region.setAttribute('aria-live', 'polite')
    // Through the object model: a style attribute would need `unsafe-inline`.
    Object.assign(region.style, {
      position: 'absolute',
      width: '1px',
      height: '1px',
      overflow: 'hidden',
      clipPath: 'inset(50%)',
      whiteSpace: 'nowrap',
    })
    document.body.append(region)
  }
  region.textContent = text
}

/** Focus goes to `[data-route-focus]`, else to the first heading, else to the main landmark. */
function focusPage(): void {
  const target = ['[data-route-focus]', 'main h1', 'h1', 'main']
    .map((selector) => document.querySelector<HTMLElement>(selector))
    .find((element) => element !== null)
  if (!target) return
  if (!target.hasAttribute('tabindex')) target.setAttribute('tabindex', '-1')
  target.focus({ preventScroll: true })
}
