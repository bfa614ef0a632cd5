import { useLayoutEffect, useRef } from 'react'

/** Shows the `dialog` as soon as it is there: modal, with the focus inside until it is closed, then back where it was. */
export function useShownDialog() {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const own = dialog.current
    if (own && !own.open) own.showModal()
    return () => own?.close()
  }, [])
  return dialog
}
