import { EmptyState } from '../../../../ui/empty-state.tsx'
import { Snippet } from '../../../../ui/snippet.tsx'

type Props = { readonly dsn: string | undefined; readonly isNarrowed: boolean }

/** Either the time is too short, or the page has nothing that tells: both ways on are named. */
export function NothingNavigated({ dsn, isNarrowed }: Props) {
  return (
    <EmptyState title="No navigations yet">
      <p>
        Every change of page that the client-side router makes is one record: from where to where, what it
        waited for, how it ended, what was fetched ahead for it.
      </p>
      {isNarrowed && <p>Nothing in what was chosen: a longer time, or fewer filters, may have some.</p>}
      {dsn !== undefined && (
        <>
          <p>Sonde’s reporter tells them; other SDKs do not:</p>
          <Snippet
            what="code that tells navigations"
            code={`import { chunkFailures, init, navigations, pageDataFailures, tracing } from '@sonde/browser'

init({
  dsn: '${dsn}',
  tracesSampleRate: 1,
  features: [tracing(), navigations(), chunkFailures(), pageDataFailures()],
})`}
          />
        </>
      )}
    </EmptyState>
  )
}
