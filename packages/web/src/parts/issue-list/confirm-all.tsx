import { useLayoutEffect, useRef } from 'react'
import type { ShownStatus } from '../issue/shown-status.ts'
import { totalText } from './bulk-bar.tsx'

export const DEEDS: Readonly<Record<ShownStatus, { readonly verb: string; readonly done: string }>> = {
  resolved: { verb: 'Resolve', done: 'resolved' },
  ignored: { verb: 'Ignore', done: 'ignored' },
  unresolved: { verb: 'Reopen', done: 'reopened' },
}

type Props = {
  readonly status: ShownStatus
  readonly hits: number
  readonly onConfirm: () => void
  readonly onCancel: () => void
}

/** Before a change to more than can be seen. */
export function ConfirmAll({ status, hits, onConfirm, onCancel }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  // Closed while it is still in the page, so that the focus returns to where it was.
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  const { verb } = DEEDS[status]
  return (
    <dialog ref={dialog} className="confirm" aria-labelledby="confirm-title" onCancel={onCancel}>
      <h2 id="confirm-title">
        {verb} all {totalText(hits)} matching issues?{' '}
      </h2>
      <p>Includes issues on other pages and issues that arrived since you opened this page.</p>
      <div className="confirm-actions">
        <button type="button" className="button" onClick={onCancel}>
          Cancel
        </button>
        <button type="button" className="button button-primary" onClick={onConfirm}>
          {verb} all
        </button>
      </div>
    </dialog>
  )
}
