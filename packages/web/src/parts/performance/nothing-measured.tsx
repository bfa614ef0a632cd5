import { Link, useLocation, useSearchParams } from '@sonde/router'
import type { ReactNode } from 'react'
import { changeRange } from '../../shell/time-range.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Snippet } from '../../ui/snippet.tsx'

type Props = {
  readonly title: string
  readonly what: ReactNode
  readonly dsn: string | undefined
  readonly isNarrowed: boolean
}

/** Either the time is too short, or the page has nothing that measures it: both ways on are named. */
export function NothingMeasured({ title, what, dsn, isNarrowed }: Props) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  return (
    <EmptyState title={title}>
      <p>{what}</p>
      {isNarrowed ? (
        <p>Nothing in this time with what is filtered: a longer time may have some.</p>
      ) : (
        <p>
          Nothing came in the last 7 days; the{' '}
          <Link to={pathname + changeRange(params, { statsPeriod: '90d' })} prefetch="none">
            last 90
          </Link>{' '}
          may have some.
        </p>
      )}
      {dsn !== undefined && (
        <>
          <p>Measured by Sonde’s reporter, or by the tracing of a Sentry browser SDK:</p>
          <Snippet
            what="code that starts the reporter"
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
