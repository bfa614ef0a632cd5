/** The way to an explanation by the organization's language model. What is in it is fetched when it is opened. */
import type { ModelName } from '@sonde/queries'
import { lazy, Suspense, useState } from 'react'

const Explanation = lazy(() => import('./explanation.tsx'))

type Props = {
  readonly shortId: string
  readonly eventId: string
  /** Where "Copy as prompt" is read from. */
  readonly promptUrl: string
  readonly asked: ModelName
}

export function ExplainIssue(props: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="explain" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        Explain this issue <span className="muted">with {props.asked.model}</span>
      </summary>
      {isOpen && (
        <Suspense fallback={<p className="muted">Loading…</p>}>
          <Explanation {...props} />
        </Suspense>
      )}
    </details>
  )
}
