import '../../../../../parts/forms/settings.css'
import { type DataOf, Form, Link, useActionData, usePageData, useParams } from '@sonde/router'
import { countOf, formatExact } from '../../../../../format/format-count.ts'
import { paths } from '../../../../../paths.ts'
import { EmptyState } from '../../../../../ui/section.tsx'
import { Ago } from '../../../../../ui/time.tsx'
import { UserText } from '../../../../../ui/user-text.tsx'
import type { action, load } from './page.server.ts'

export const title = (): string => 'Merge issues · Sonde'

export default function MergeIssues() {
  const { issues } = usePageData<typeof load>()
  const { org, project } = useParams<'org' | 'project'>()
  const refused = useActionData<typeof action>()
  const [first] = issues
  if (!first || issues.length < 2)
    return (
      <div className="page page-narrow">
        <EmptyState title="Nothing to merge">
          <p>
            Select at least two issues in <Link to={paths.issues(org, project)}>the list</Link>, then press
            Merge.
          </p>
        </EmptyState>
      </div>
    )
  const events = issues.reduce((sum, { eventCount }) => sum + eventCount, 0)
  return (
    <div className="page page-narrow">
      <div className="page-head">
        <h1>Merge {countOf(issues.length, 'issue')}</h1>
      </div>
      <ul>
        <li>The issue that you choose gets all {countOf(events, 'event')}, and new events of the others.</li>
        <li>Addresses and numbers of the others lead to it.</li>
        <li>It is unresolved if one of them is. Who is subscribed to one of them is subscribed to it.</li>
        <li>You can give each of them back later, as it was.</li>
      </ul>
      <Form className="settings-form">
        <input type="hidden" name="ids" value={issues.map(({ id }) => id).join(',')} />
        <fieldset className="choice-list">
          <legend>Merge into</legend>
          {issues.map((issue) => (
            <Choice key={issue.id} issue={issue} isFirst={issue.id === first.id} />
          ))}
        </fieldset>
        {refused && (
          <p className="field-error" role="alert">
            Nothing was merged: {refused.refused}.
          </p>
        )}
        <div className="settings-line">
          <button type="submit" className="button button-primary">
            Merge {formatExact(issues.length)} issues
          </button>
          <Link to={paths.issues(org, project)} className="button">
            Cancel
          </Link>
        </div>
      </Form>
    </div>
  )
}

type Issue = DataOf<typeof load>['issues'][number]

function Choice({ issue, isFirst }: { readonly issue: Issue; readonly isFirst: boolean }) {
  const { id, shortId, title: name, eventCount, firstSeenMs } = issue
  return (
    <label className="choice-line">
      <input type="radio" name="into" value={id} defaultChecked={isFirst} />
      <span>
        <UserText text={name} />
        <span className="muted">
          {shortId} · {countOf(eventCount, 'event')} · first seen <Ago atMs={firstSeenMs} />
        </span>
      </span>
    </label>
  )
}
