import './shared.css'
import type { SharedException, SharedFrame } from '@sonde/queries'
import { type DataOf, usePageData } from '@sonde/router'
import { countOf } from '../../../../format/format-count.ts'
import { Level } from '../../../../ui/badge.tsx'
import { Section } from '../../../../ui/section.tsx'
import { Ago, ExactTime } from '../../../../ui/time.tsx'
import { LongText, UserText } from '../../../../ui/user-text.tsx'
import type { load } from './page.server.ts'

export const title = ({ issue }: DataOf<typeof load>): string => `${issue.title} · Sonde`

/** No address leads from here into Sonde: who reads this may be nobody's member. */
export default function SharedIssue() {
  const { issue, expiresMs } = usePageData<typeof load>()
  const { event } = issue
  return (
    <div className="page page-narrow shared">
      <p className="muted">
        Shared from {issue.projectName}. The link expires <ExactTime atMs={expiresMs} />.
      </p>
      <div className="page-head">
        <h1>
          <UserText text={issue.title} />
        </h1>
      </div>
      <p className="muted">
        <Level level={issue.level} /> {issue.shortId} · <UserText text={issue.culprit} />
      </p>
      <p>
        {countOf(issue.eventCount, 'event')}, first seen <Ago atMs={issue.firstSeenMs} />, last seen{' '}
        <Ago atMs={issue.lastSeenMs} />
      </p>
      {event === undefined ? (
        <p className="muted">Its events are no longer stored.</p>
      ) : (
        <>
          {event.exceptions.toReversed().map((exception, index) => (
            <Exception key={index} exception={exception} id={`exception-${index}`} />
          ))}
          {event.tags.length > 0 && (
            <Section id="tags" title="Tags" note="Of the latest event">
              <dl className="shared-tags">
                {event.tags.map(({ key, value }) => (
                  <div key={key}>
                    <dt>{key}</dt>
                    <dd>
                      <UserText text={value} />
                    </dd>
                  </div>
                ))}
              </dl>
            </Section>
          )}
        </>
      )}
    </div>
  )
}

function Exception({ exception, id }: { readonly exception: SharedException; readonly id: string }) {
  return (
    <Section id={id} title={exception.type || 'Error'}>
      <LongText text={exception.value} />
      <ol className="shared-frames">
        {exception.frames.map((frame, index) => (
          <li key={index} className={frame.in_app ? undefined : 'muted'}>
            <FrameText frame={frame} />
          </li>
        ))}
      </ol>
    </Section>
  )
}

function FrameText({ frame }: { readonly frame: SharedFrame }) {
  const { function: name, module, filename, lineno, colno, context_line: line } = frame
  const place = [filename ?? module ?? 'unknown', lineno, colno].filter((part) => part !== undefined)
  return (
    <>
      <code>{name ?? '<anonymous>'}</code> in <code>{place.join(':')}</code>
      {line !== undefined && frame.in_app && (
        <pre tabIndex={0} aria-label="Source">
          {[...(frame.pre_context ?? []), line, ...(frame.post_context ?? [])].join('\n')}
        </pre>
      )}
    </>
  )
}
