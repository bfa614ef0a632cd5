import './linked-issues.css'
import type { TrackerLink } from '@sonde/queries'
import { Form, Link, useParams, useSearchParams } from '@sonde/router'
import { paths } from '../../../../../paths.ts'
import { Badge } from '../../../../../ui/badge.tsx'
import { UserText } from '../../../../../ui/user-text.tsx'

const SAID = {
  created: 'Issue created there and linked.',
  linked: 'Issue linked.',
  removed: 'Link removed. The issue there stays as it is.',
} as const
/** Of `?linked=`: what the last form did. */
export type LinkedSaid = keyof typeof SAID

export type LinkedIssuesProps = {
  readonly shortId: string
  readonly links: readonly TrackerLink[]
  /** May make and link issues, and a tracker is connected. */
  readonly mayLink: boolean
  /** May connect a tracker, and none is. */
  readonly mayConnect: boolean
}

/** Issues of trackers that belong to this one. */
export function LinkedIssues({ shortId, links, mayLink, mayConnect }: LinkedIssuesProps) {
  const { org, project } = useParams<'org' | 'project'>()
  const [search] = useSearchParams()
  const said = (SAID as Readonly<Record<string, string | undefined>>)[search.get('linked') ?? '']
  if (links.length === 0 && !mayLink && !mayConnect) return null
  const action = paths.linkIssue(org, project, shortId)
  return (
    <section className="linked-issues" id="linked-issues" aria-labelledby="linked-issues-title">
      <h2 id="linked-issues-title">Linked issues</h2>
      <p role="status" className="muted">
        {said}
      </p>
      {links.length > 0 && (
        <ul>
          {links.map((link) => (
            <LinkedLine key={link.id} link={link} unlink={mayLink ? action : undefined} />
          ))}
        </ul>
      )}
      {mayLink && (
        <p>
          <Link className="text-link" to={action} prefetch="intent">
            Create or link an issue
          </Link>
        </p>
      )}
      {mayConnect && (
        <p className="muted">
          <Link className="text-link" to={paths.trackers(org)}>
            Connect GitHub, GitLab, Jira or Linear
          </Link>{' '}
          to make and link issues there.
        </p>
      )}
    </section>
  )
}

const STATES = {
  open: { tone: 'attention', text: 'open' },
  closed: { tone: 'good', text: 'closed' },
  deleted: { tone: 'neutral', text: 'deleted' },
} as const

const REQUEST_TEXTS = {
  '': '',
  create: 'Is being created.',
  open: 'Is being opened again.',
  closed: 'Is being closed.',
} as const

function LinkedLine({ link, unlink }: { readonly link: TrackerLink; readonly unlink: string | undefined }) {
  const { id, key, url, title, state, wanted, answer, tracker } = link
  const { tone, text } = STATES[state]
  return (
    <li>
      <div className="linked-head">
        {url === '' ? (
          <UserText text={tracker.name} />
        ) : (
          <a href={url} rel="noreferrer noopener">
            <UserText text={key} />
          </a>
        )}{' '}
        <Badge tone={tone}>{text}</Badge>
        {unlink !== undefined && (
          <Form action={unlink}>
            <input type="hidden" name="form" value="unlink" />
            <input type="hidden" name="linkId" value={id} />
            <button
              type="submit"
              className="button button-small button-quiet"
              aria-label={`Unlink ${key || tracker.name}`}
            >
              Unlink
            </button>
          </Form>
        )}
      </div>
      <UserText text={title} />
      {wanted !== '' && <p className="muted">{REQUEST_TEXTS[wanted]}</p>}
      {answer !== '' && (
        <p className="field-error">
          <UserText text={answer} />
        </p>
      )}
    </li>
  )
}
