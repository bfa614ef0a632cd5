import { Link, usePageData, usePending, useRevalidate, useRouteTemplate } from '@sonde/router'
import type { ReactNode } from 'react'
import type { load } from './layout.server.ts'

export default function Layout({ children }: { children?: ReactNode }) {
  const { cookie } = usePageData<typeof load>()
  const revalidate = useRevalidate()
  return (
    <>
      <nav>
        <Link to="/" prefetch="none">
          home
        </Link>
        <output id="template">{useRouteTemplate()}</output>
        <output id="cookie">{cookie}</output>
        {usePending() && <output id="pending">waiting</output>}
        <button type="button" onClick={() => void revalidate()}>
          refresh
        </button>
      </nav>
      {children}
    </>
  )
}
