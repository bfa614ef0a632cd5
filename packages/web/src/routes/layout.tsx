import '../styles/index.css'
import { usePageData } from '@sonde/router'
import type { ReactNode } from 'react'
import { NewBuildNotice } from '../shell/new-build-notice.tsx'
import { Toasts } from '../shell/toasts.tsx'
import { TopBar } from '../shell/top-bar.tsx'
import { PageClockProvider } from '../ui/page-clock.tsx'
import { PendingBar } from '../ui/pending-bar.tsx'
import type { load } from './layout.server.ts'

export default function Layout({ children }: { readonly children?: ReactNode }) {
  const { nowMs, viewer, theme } = usePageData<typeof load>()
  return (
    <PageClockProvider nowMs={nowMs}>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <PendingBar />
      {viewer && <TopBar viewer={viewer} theme={theme} />}
      <NewBuildNotice />
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <Toasts />
    </PageClockProvider>
  )
}
