/** A page with its layouts, and what surrounds every page: title, focus, announcement, scroll position, failures. */
import { Component, type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import { idsOf } from '../shared/match-routes.ts'
import { RouteFailure } from './failure-page.tsx'
import { DataContext, ShownContext, useRuntime } from './hooks.ts'
import type { Shown } from './navigator.ts'
import { scrollPage } from './scroll.ts'

/** The same on both sides. `onError` hears of what a page throws while it renders. */
export function ShownPage({
  shown,
  onError,
}: {
  readonly shown: Shown
  readonly onError?: (error: unknown) => void
}) {
  useShownPage(shown)
  const { error } = shown.page
  return (
    <ShownContext value={shown}>
      <PageBoundary shown={shown} onError={onError}>
        {error ? <RouteFailure problem={error} /> : <Slots ids={idsOf(shown.match)} />}
      </PageBoundary>
    </ShownContext>
  )
}

/** The outermost layout around the next one, and the page within. */
function Slots({ ids: [id, ...inner] }: { readonly ids: readonly string[] }) {
  if (id === undefined) return null
  if (inner.length === 0) return <PageSlot template={id} />
  return (
    <LayoutSlot id={id}>
      <Slots ids={inner} />
    </LayoutSlot>
  )
}

function LayoutSlot({ id, children }: { readonly id: string; readonly children: ReactNode }) {
  const Layout = useRuntime().modules.get(id)?.default
  if (!Layout) return children
  return (
    <DataContext value={id}>
      <Layout>{children}</Layout>
    </DataContext>
  )
}

function PageSlot({ template }: { readonly template: string }) {
  const Page = useRuntime().modules.get(template)?.default
  if (!Page) return null
  return (
    <DataContext value={template}>
      <Page />
    </DataContext>
  )
}

type BoundaryProps = {
  readonly shown: Shown
  readonly onError?: ((error: unknown) => void) | undefined
  readonly children: ReactNode
}

/** What is thrown below it is shown as the fall-back page until something else is shown: another page, or other data. */
class PageBoundary extends Component<BoundaryProps, { shown: Shown; failed: boolean }> {
  override state = { shown: this.props.shown, failed: false }
  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true }
  }
  static getDerivedStateFromProps({ shown }: BoundaryProps, state: { shown: Shown }) {
    return shown === state.shown ? null : { shown, failed: false }
  }
  override componentDidCatch(error: unknown): void {
    this.props.onError?.(error)
  }
  override render(): ReactNode {
    return this.state.failed ? <RouteFailure /> : this.props.children
  }
}

function useShownPage({ location, page, scrollTo }: Shown): void {
  const { pathname, hash } = location
  const { title } = page
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

  useLayoutEffect(() => {
    scrollPage(scrollTo, location)
  }, [scrollTo, location])
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
