/** The parts of a page: a titled section, what stands in the place of an empty list, a table that scrolls by itself. */
import type { ReactNode } from 'react'
import { paths } from '../paths.ts'

type SectionProps = {
  /** Its fragment in the address: `#breadcrumbs`. */
  readonly id: string
  readonly title: string
  /** Behind the title: a count, a hint. */
  readonly note?: ReactNode
  /** At the end of the title's line: buttons, a toggle. */
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** A titled part of a page, one of several below each other. */
export function Section({ id, title, note, actions, children }: SectionProps) {
  const headingId = `${id}-title`
  return (
    <section className="section" id={id} aria-labelledby={headingId}>
      <div className="section-head">
        <h2 id={headingId}>{title}</h2>
        {note !== undefined && <span className="section-note">{note}</span>}
        {actions !== undefined && <div className="section-actions">{actions}</div>}
      </div>
      {children}
    </section>
  )
}

type EmptyStateProps = {
  readonly title: string
  /** The page of the documentation about it. */
  readonly docs?: string
  readonly children?: ReactNode
}

/** Instead of an empty list: what is the case, and what to do next. */
export function EmptyState({ title, docs, children }: EmptyStateProps) {
  return (
    <div className="empty">
      <h2 className="empty-title">{title}</h2>
      {children}
      {docs !== undefined && (
        <p>
          <a href={paths.docs(docs)}>Documentation</a>
        </p>
      )}
    </div>
  )
}

/** A table that may be wider than the screen: scrolled by touch, and by keys once it has the focus. */
export function TableFrame({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="table-frame" role="group" aria-label={label} tabIndex={0}>
      {children}
    </div>
  )
}
