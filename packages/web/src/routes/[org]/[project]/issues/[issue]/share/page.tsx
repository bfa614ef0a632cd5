import '../../../../../../parts/forms/settings.css'
import '../issue.css'
import { type DataOf, Form, useActionData, usePageData, useParams } from '@sonde/router'
import { countOf } from '../../../../../../format/format-count.ts'
import { NO_FILTER } from '../../../../../../parts/event-filter/event-filter.ts'
import { issueLinks } from '../../../../../../parts/issue/issue-links.ts'
import { CopyButton } from '../../../../../../ui/copy-button.tsx'
import { Section } from '../../../../../../ui/section.tsx'
import { Ago, ExactTime } from '../../../../../../ui/time.tsx'
import { IssueTrail } from '../issue-trail.tsx'
import type { action, load } from './page.server.ts'

export const title = ({ issue }: DataOf<typeof load>): string => `Share · ${issue.shortId} · Sonde`

export default function ShareIssue() {
  const { issue, share, isAllowed, mayChange, days, tags } = usePageData<typeof load>()
  const { org, project } = useParams<'org' | 'project'>()
  return (
    <div className="page page-narrow">
      <IssueTrail issue={issue} links={issueLinks(org, project, issue.shortId, NO_FILTER)} />
      <div className="page-head">
        <h1>Share by public link</h1>
      </div>
      <NewLink />
      <Section id="what" title="What the link shows">
        <p>
          Title, counts and times of the issue, and of its latest event the exceptions with their stack traces
          and source lines, and these tags: {tags.join(', ')}.
        </p>
        <p>
          Never shown: users, addresses, requests, breadcrumbs, local variables, contexts, attachments and
          comments. The text of an error is shown as it is stored.
        </p>
      </Section>
      <Section id="link" title="Link">
        {share && (
          <>
            <p>
              A link is open since <Ago atMs={share.createdMs} />. It expires{' '}
              <ExactTime atMs={share.expiresMs} />.
            </p>
            {mayChange && (
              <Form>
                <button type="submit" name="does" value="revoke" className="button button-danger">
                  Revoke link
                </button>
              </Form>
            )}
          </>
        )}
        {!isAllowed ? (
          <p className="muted">
            The organization allows no public links. Owners change that in its settings.
          </p>
        ) : (
          mayChange && <ShareForm days={days} hasLink={share !== undefined} />
        )}
        {!mayChange && !share && <p className="muted">There is no public link to this issue.</p>}
      </Section>
    </div>
  )
}

function ShareForm({ days, hasLink }: { readonly days: readonly number[]; readonly hasLink: boolean }) {
  return (
    <Form className="settings-form">
      <div className="field">
        <label htmlFor="share-days">Link expires</label>
        <select id="share-days" name="days" className="input" defaultValue="7">
          {days.map((count) => (
            <option key={count} value={count}>
              in {countOf(count, 'day')}
            </option>
          ))}
        </select>
      </div>
      <button type="submit" name="does" value="share" className="button button-primary">
        {hasLink ? 'Create a new link' : 'Create link'}
      </button>
      {hasLink && <p className="muted">The link of before then no longer works.</p>}
    </Form>
  )
}

/** Once, in the answer to the post. */
function NewLink() {
  const answer = useActionData<typeof action>()
  return (
    <div role="status">
      {answer && 'url' in answer && (
        <div className="saved-notice">
          <p>Copy the link now. It won’t be shown again.</p>
          <div className="dsn">
            <code>{answer.url}</code>
            <CopyButton text={answer.url} what="public link" />
          </div>
        </div>
      )}
      {answer && 'refused' in answer && <p className="field-error">Nothing was shared: {answer.refused}.</p>}
    </div>
  )
}
