import type { ReactNode } from 'react'

/** Instead of an empty list: what is the case, and what to do next. */
export function EmptyState({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className="empty">
      <h2 className="empty-title">{title}</h2>
      {children}
    </div>
  )
}
