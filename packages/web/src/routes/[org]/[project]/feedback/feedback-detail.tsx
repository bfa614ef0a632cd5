/** One person's words, and where they come from. */
import { Form, Link } from '@sonde/router'
import { formatBytes } from '../../../../format/format-count.ts'
import { paths } from '../../../../paths.ts'
import { KeyValues } from '../../../../ui/key-values.tsx'
import { Section } from '../../../../ui/section.tsx'
import { Ago } from '../../../../ui/time.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import type { load } from './page.server.ts'

type Loaded = Awaited<ReturnType<typeof load>>
type Detail = NonNullable<Extract<Loaded, { readonly detail: unknown }>['detail']>

type Props = {
  readonly org: string
  readonly project: string
  readonly detail: Detail
  readonly mayChange: boolean
}

export function FeedbackDetail({ org, project, detail, mayChange }: Props) {
  const { name, email, message, shortId, spam, files, linked, about } = detail
  const facts = [
    ['Page', detail.url],
    ['Route', detail.route],
    ['Release', detail.release],
    ['Environment', detail.environment],
    ['Sent by', SOURCES[detail.source] ?? detail.source],
  ].filter((fact): fact is [string, string] => fact[1] !== '')
  return (
    <article className="feedback-detail" aria-label={`Feedback ${shortId}`}>
      <header className="feedback-from">
        <h2>
          <UserText text={name || email || 'Anonymous'} />
        </h2>
        {name !== '' && email !== '' && (
          <span className="muted">
            <UserText text={email} />
          </span>
        )}
        <span className="muted">
          <Ago atMs={detail.receivedMs} />
        </span>
        <Link className="text-link" to={paths.issue(org, project, shortId)} prefetch="none">
          {shortId}: comments, assignee, event
        </Link>
      </header>
      {mayChange && <Deeds id={detail.id} status={detail.status} />}
      {detail.status === 'ignored' && spam !== '' && (
        <p className="muted">In spam: {SPAM_WORDS[spam] ?? spam}.</p>
      )}
      <p className="feedback-message">
        <UserText text={message === '' ? '(no words)' : message} />
      </p>
      {detail.eventId !== '' &&
        files.map((file) => {
          const href = paths.attachment(org, project, shortId, detail.eventId, file.id)
          return file.shownAs.startsWith('image/') ? (
            <a key={file.id} href={`${href}?view`} target="_blank" rel="noreferrer">
              <img
                className="feedback-shot"
                src={`${href}?view`}
                alt={`Screenshot ${file.name}`}
                loading="lazy"
                decoding="async"
              />
            </a>
          ) : (
            <p key={file.id}>
              <a className="text-link" href={href}>
                <UserText text={file.name} />
              </a>{' '}
              <span className="muted">{formatBytes(file.bytes)}</span>
            </p>
          )
        })}
      <Section id="feedback-links" title="Linked">
        <ul className="feedback-links">
          {linked && (
            <li>
              Error:{' '}
              <Link
                className="text-link"
                to={paths.event(org, project, linked.shortId, about)}
                prefetch="none"
              >
                <UserText text={`${linked.shortId} ${linked.title}`} />
              </Link>
            </li>
          )}
          {about !== '' && !linked && (
            <li className="muted">The event that it names, {about}, has not arrived or is no longer kept.</li>
          )}
          {detail.traceId !== '' && (
            <li>
              <Link className="text-link" to={paths.trace(org, detail.traceId)} prefetch="none">
                Trace
              </Link>
            </li>
          )}
          {detail.replay && (
            <li>
              <Link
                className="text-link"
                to={paths.replay(org, project, detail.replay.replayId, detail.replay.second)}
                prefetch="none"
              >
                Replay
              </Link>
            </li>
          )}
          {detail.replayId !== '' && !detail.replay && (
            <li className="muted">The replay {detail.replayId} has not arrived or is no longer kept.</li>
          )}
          {about === '' && detail.traceId === '' && detail.replayId === '' && (
            <li className="muted">No event, trace or replay is named.</li>
          )}
        </ul>
      </Section>
      {facts.length > 0 && (
        <Section id="feedback-facts" title="Where">
          <KeyValues caption="Where it was written" rows={facts} />
        </Section>
      )}
      {detail.tags.length > 0 && (
        <Section id="feedback-tags" title="Tags">
          <KeyValues caption="Tags" rows={detail.tags} />
        </Section>
      )}
    </article>
  )
}

function Deeds({ id, status }: Pick<Detail, 'id' | 'status'>) {
  return (
    <Form className="feedback-deeds" aria-label="Actions">
      <input type="hidden" name="id" value={id} />
      {status !== 'resolved' && (
        <button type="submit" name="status" value="resolved" className="button button-small">
          Resolve
        </button>
      )}
      {status !== 'ignored' && (
        <button type="submit" name="status" value="ignored" className="button button-small">
          Mark as spam
        </button>
      )}
      {status !== 'unresolved' && (
        <button type="submit" name="status" value="unresolved" className="button button-small">
          Move to inbox
        </button>
      )}
    </Form>
  )
}

const SOURCES: Readonly<Record<string, string>> = {
  widget: 'the feedback widget',
  user_report: 'a user report',
  api: 'the SDK',
}

const SPAM_WORDS: Readonly<Record<string, string>> = {
  empty: 'it has fewer than two characters',
  links: 'it has more than three links',
  repeated: 'the same address sent the same text within a day',
  rate: 'the same address sent more than ten within an hour',
}
