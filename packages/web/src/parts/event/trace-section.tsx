/** The trace and the navigation in which the error happened: fetched when the section comes into sight. */
import { Link, useParams } from '@sonde/router'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { paths } from '../../paths.ts'
import { Section } from '../../ui/section.tsx'

const TraceLines = lazy(() => import('./trace-lines.tsx'))

type Props = { readonly traceId: string; readonly spanId: string | undefined; readonly eventMs: number }

/** So that it is there when it is scrolled to. */
const AHEAD = { rootMargin: '200px' } as const

export function TraceSection({ traceId, spanId, eventMs }: Props) {
  const { org, project } = useParams() as { org: string; project?: string }
  const place = useRef<HTMLDivElement>(null)
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    const target = place.current
    if (!target) return undefined
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true)
    }, AHEAD)
    observer.observe(target)
    return () => observer.disconnect()
  }, [])
  const waiting = <p className="muted">Spans around this event, across all services.</p>
  return (
    <Section
      id="trace"
      title="Trace"
      actions={
        <>
          {project !== undefined && (
            <Link
              className="button button-small"
              to={paths.logs(org, project, { query: `trace:${traceId}`, statsPeriod: '90d' })}
              prefetch="none"
            >
              View logs
            </Link>
          )}
          <Link className="button button-small" to={paths.trace(org, traceId, spanId)} prefetch="none">
            {' '}
            View trace{' '}
          </Link>
        </>
      }
    >
      <div ref={place}>
        {isSeen ? (
          <Suspense fallback={waiting}>
            <TraceLines org={org} traceId={traceId} spanId={spanId} eventMs={eventMs} />
          </Suspense>
        ) : (
          waiting
        )}
      </div>
    </Section>
  )
}
