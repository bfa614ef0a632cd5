/** Spans that the selected one links to, and spans of other traces that link to it. */
import { Link } from '@sonde/router'
import { countOf } from '../../../../format/format-count.ts'
import { paths } from '../../../../paths.ts'
import { KeyValues } from '../../../../ui/key-values.tsx'
import { Ago } from '../../../../ui/time.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import type { SpanData } from './load-span.server.ts'

type Props = {
  readonly org: string
  readonly traceId: string
  readonly detail: Pick<SpanData, 'links' | 'linkedFrom'>
}

export function LinkedSpans({ org, traceId, detail: { links, linkedFrom } }: Props) {
  return (
    <>
      <Links org={org} traceId={traceId} title="Links to" links={links} />
      <Links
        org={org}
        traceId={traceId}
        title="Linked from"
        links={linkedFrom.links}
        note={linkedFrom.hasMore ? 'Older links are not shown.' : undefined}
      />
    </>
  )
}

type LinksProps = Pick<Props, 'org' | 'traceId'> & {
  readonly title: string
  readonly links: SpanData['links']
  readonly note?: string | undefined
}

/** The rest is in a disclosure, so that the attributes stay in sight. */
const FIRST = 5

function Links({ title, links, note, ...props }: LinksProps) {
  if (links.length === 0) return null
  return (
    <section className="span-links" aria-label={title}>
      <h3>{title}</h3>
      <LinkList {...props} links={links.slice(0, FIRST)} />
      {links.length > FIRST && (
        <details>
          <summary>{countOf(links.length - FIRST, 'more link')}</summary>
          <LinkList {...props} links={links.slice(FIRST)} />
        </details>
      )}
      {note !== undefined && <p className="muted">{note}</p>}
    </section>
  )
}

function LinkList({ org, traceId, links }: Pick<LinksProps, 'org' | 'traceId' | 'links'>) {
  return (
    <ul className="trace-errors">
      {links.map((link, at) => {
        const { 'sentry.link.type': kind, sampled, ...attributes } = link.attributes
        return (
          <li key={at}>
            <Link to={paths.trace(org, link.traceId, link.spanId)} prefetch="none">
              {link.span ? (
                <>
                  <span className="perf-op">{link.span.op}</span> <UserText text={link.span.name} />
                </>
              ) : (
                <code>
                  {link.traceId.slice(0, 8)} {link.spanId}
                </code>
              )}
            </Link>{' '}
            <span className="muted">
              {link.span && <bdi>{link.span.project}</bdi>}
              {link.span && ' · '}
              {link.span && <Ago atMs={link.span.startMs} />}
              {link.traceId === traceId && ' · this trace'}
              {kind !== undefined && ` · ${String(kind).replaceAll('_', ' ')}`}
              {sampled === 'false' && ' · not sampled'}
            </span>
            {Object.keys(attributes).length > 0 && (
              <details>
                <summary>{countOf(Object.keys(attributes).length, 'link attribute')}</summary>
                <KeyValues caption="Link attributes" rows={Object.entries(attributes)} />
              </details>
            )}
          </li>
        )
      })}
    </ul>
  )
}
