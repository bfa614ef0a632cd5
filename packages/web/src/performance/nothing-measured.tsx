import type { ReactNode } from 'react'
import { EmptyState } from '../ui/empty-state.tsx'
import { Snippet } from '../ui/snippet.tsx'

type Props = {
  readonly title: string
  readonly what: ReactNode
  readonly dsn: string | undefined
  readonly isNarrowed: boolean
}

/** Either the time is too short, or the page has nothing that measures it: both ways on are named. */
export function NothingMeasured({ title, what, dsn, isNarrowed }: Props) {
  return (
    <EmptyState title={title}>
      <p>{what}</p>
      {isNarrowed && <p>Nothing in this time with what is filtered: a longer time may have some.</p>}
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
