import type { ReactNode } from 'react'

export type SectionProps = {
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
