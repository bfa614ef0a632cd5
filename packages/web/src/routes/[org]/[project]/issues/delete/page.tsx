import '../../../../../parts/forms/settings.css'
import { Form, Link, useActionData, usePageData, useParams } from '@sonde/router'
import { countOf } from '../../../../../format/format-count.ts'
import { paths } from '../../../../../paths.ts'
import { EmptyState } from '../../../../../ui/section.tsx'
import { UserText } from '../../../../../ui/user-text.tsx'
import type { action, load } from './page.server.ts'

export const title = (): string => 'Delete issues · Sonde'

export default function DeleteIssues() {
  const { issues } = usePageData<typeof load>()
  const { org, project } = useParams<'org' | 'project'>()
  const refused = useActionData<typeof action>()
  if (issues.length === 0)
    return (
      <div className="page page-narrow">
        <EmptyState title="Nothing to delete">
          <p>
            The issues are gone, or none was selected. <Link to={paths.issues(org, project)}>All issues</Link>
          </p>
        </EmptyState>
      </div>
    )
  const events = issues.reduce((sum, { eventCount }) => sum + eventCount, 0)
  return (
    <div className="page page-narrow">
      <div className="page-head">
        <h1>Delete {countOf(issues.length, 'issue')}?</h1>
      </div>
      <p>
        This also deletes {countOf(events, 'event')} with their attachments, and all comments. For a day you
        can restore them under “Recently deleted” in the settings of the organization, unless you discard.
      </p>
      <ul className="key-list">
        {issues.map(({ id, shortId, title: name, eventCount }) => (
          <li key={id}>
            <Link to={paths.issue(org, project, shortId)}>
              <UserText text={name} />
            </Link>{' '}
            <span className="muted">
              {shortId} · {countOf(eventCount, 'event')}
            </span>
          </li>
        ))}
      </ul>
      {refused && (
        <p className="field-error" role="alert">
          Nothing was deleted: {refused.refused}.
        </p>
      )}
      <Form className="settings-form">
        <input type="hidden" name="ids" value={issues.map(({ id }) => id).join(',')} />
        <p className="muted">
          After a deletion, the next event like these makes a new issue. If you discard, such events are
          dropped and counted until somebody stops that in the settings of the project, and the deletion
          cannot be undone.
        </p>
        <div className="settings-line">
          <button type="submit" name="does" value="delete" className="button button-danger">
            Delete
          </button>
          <button type="submit" name="does" value="discard" className="button button-danger">
            Delete and discard future events
          </button>
          <Link to={paths.issues(org, project)} className="button">
            Cancel
          </Link>
        </div>
      </Form>
    </div>
  )
}
