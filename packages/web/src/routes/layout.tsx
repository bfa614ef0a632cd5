import '../styles/index.css'
import { useNewBuild, usePageData, usePending } from '@sonde/router'
import type { ReactNode } from 'react'
import { setPersonZone } from '../format/person-zone.ts'
import { SpikeBanner } from '../shell/spike-banner.tsx'
import { Toasts } from '../shell/toasts.tsx'
import { TopBar } from '../shell/top-bar.tsx'
import { PageClockProvider } from '../ui/page-clock.tsx'
import type { load } from './layout.server.ts'

export default function Layout({ children }: { readonly children?: ReactNode }) {
  const { nowMs, viewer, theme, unread, openIncidents, spike } = usePageData<typeof load>()
  // Before anything below tells a time; the server tells all of them in UTC.
  if (typeof document !== 'undefined') setPersonZone(viewer?.timeZone ?? '')
  return (
    <PageClockProvider nowMs={nowMs}>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <PendingBar />
      {viewer && <TopBar viewer={viewer} theme={theme} unread={unread} openIncidents={openIncidents} />}
      <NewBuildNotice />
      {spike && <SpikeBanner spike={spike} />}
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <Toasts />
    </PageClockProvider>
  )
}

/** This tab's code is older than the server's: pages load whole until it is renewed. */
function NewBuildNotice() {
  const isNew = useNewBuild()
  if (!isNew) return null
  return (
    <p className="notice" role="status">
      A new version of Sonde is available.{' '}
      <button type="button" className="link-button" onClick={() => window.location.reload()}>
        Reload
      </button>
    </p>
  )
}

/** From 150 ms after a navigation or post began until it ends: a line at the top, and a word for screen readers. */
function PendingBar() {
  const isPending = usePending()
  return (
    <>
      <div className="pending-bar" data-pending={isPending || undefined} aria-hidden="true" />
      <span className="sr-only" role="status">
        {isPending ? 'Loading' : ''}
      </span>
    </>
  )
}
