import { usePending } from '@sonde/router'

/** From 150 ms after a navigation or post began until it ends: a line at the top, and a word for screen readers. */
export function PendingBar() {
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
