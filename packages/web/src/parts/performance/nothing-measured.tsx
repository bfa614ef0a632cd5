import { Link, useLocation, useSearchParams } from '@sonde/router'
import type { ReactNode } from 'react'
import { changeRange } from '../../shell/time-range.ts'
import { Snippet } from '../../ui/copy-button.tsx'
import { EmptyState } from '../../ui/section.tsx'

type Props = {
  readonly title: string
  readonly what: ReactNode
  readonly dsn: string | undefined
  readonly isNarrowed: boolean
}

/** Either the time range is too short, or the SDK is missing. */
export function NothingMeasured({ title, what, dsn, isNarrowed }: Props) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  return (
    <EmptyState title={title}>
      <p>{what}</p>
      {isNarrowed ? (
        <p>No data for these filters. Try a longer time range.</p>
      ) : (
        <p>
          No data in the last 7 days. Try the{' '}
          <Link to={pathname + changeRange(params, { statsPeriod: '90d' })} prefetch="none">
            last 90 days
          </Link>
          .
        </p>
      )}
      {dsn !== undefined && (
        <>
          <p>Collected by Sonde’s browser SDK or any Sentry browser SDK with tracing enabled:</p>
          <Snippet
            what="code that starts the SDK"
            code={`import { init, tracing, vitals, navigations } from '@sonde/browser'

init({
  dsn: '${dsn}',
  tracesSampleRate: 1,
  features: [tracing(), vitals(), navigations()],
})`}
          />
        </>
      )}
    </EmptyState>
  )
}
