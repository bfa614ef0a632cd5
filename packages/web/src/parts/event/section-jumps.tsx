import type { NormalizedEvent } from '@sonde/protocol/event'

type Jump = readonly [id: string, title: string]

/** The long sections of the event, in the order of the page; what was not sent is not there. */
export function jumpsOf(event: NormalizedEvent, attachmentCount: number): readonly Jump[] {
  const rows: readonly (readonly [...Jump, isThere: unknown])[] = [
    ['tags', 'Tags', event.tags?.length],
    ['exception', 'Stack trace', event.exception?.length],
    ['trace', 'Trace', event.contexts?.trace?.trace_id],
    ['breadcrumbs', 'Breadcrumbs', event.breadcrumbs?.length],
    ['request', 'Request', event.request],
    ['contexts', 'Contexts', event.contexts],
    ['threads', 'Threads', event.threads?.length],
    ['attachments', 'Attachments', attachmentCount],
  ]
  return rows.flatMap(([id, title, isThere]) => (isThere ? [[id, title] as const] : []))
}

/** Where in a long event one wants to be. Of a short one everything is in sight already. */
const MIN_JUMPS = 3

export function SectionJumps({ jumps }: { readonly jumps: readonly Jump[] }) {
  if (jumps.length < MIN_JUMPS) return null
  return (
    <nav className="section-jumps" aria-label="Sections of the event">
      <span className="muted">Jump to</span>
      {jumps.map(([id, title]) => (
        <a key={id} href={`#${id}`}>
          {title}
        </a>
      ))}
    </nav>
  )
}
