import type { ReactNode } from 'react'

/** A table that may be wider than the screen: scrolled by touch, and by keys once it has the focus. */
export function TableFrame({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="table-frame" role="group" aria-label={label} tabIndex={0}>
      {children}
    </div>
  )
}
