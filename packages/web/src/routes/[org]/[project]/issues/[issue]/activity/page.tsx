import '../../../../../../parts/forms/settings.css'
import '../issue.css'
import '../activity.css'
import { type DataOf, Link, useActionData, usePageData, useParams } from '@sonde/router'
import { NO_FILTER } from '../../../../../../parts/event-filter/event-filter.ts'
import { useFormState } from '../../../../../../parts/forms/use-form-state.ts'
import { issueLinks } from '../../../../../../parts/issue/issue-links.ts'
import { paths } from '../../../../../../paths.ts'
import { EmptyState } from '../../../../../../ui/section.tsx'
import { CommentForm } from '../comment-form.tsx'
import { CommentText } from '../comment-text.tsx'
import { ActivityList, type ShownActivity } from '../issue-activity.tsx'
import { IssueTrail } from '../issue-trail.tsx'
import type { ActivityAnswer, load } from './page.server.ts'

export const title = ({ issue }: DataOf<typeof load>): string => `Activity · ${issue.shortId} · Sonde`

type Entry = ShownActivity['entries'][number]

/** Everything that was done about an issue, the newest first. */
export default function IssueActivity() {
  const { issue, activity, onlyComments, fromId, editId } = usePageData<typeof load>()
  const { org, project } = useParams<'org' | 'project'>()
  const { entries, olderFrom, mayComment } = activity
  const only = onlyComments ? ({ only: 'comments' } as const) : {}
  const here = (search: Parameters<typeof paths.issueActivity>[3]): string =>
    paths.issueActivity(org, project, issue.shortId, search)
  return (
    <div className="page page-narrow activity-page">
      <IssueTrail issue={issue} links={issueLinks(org, project, issue.shortId, NO_FILTER)} />
      <div className="page-head">
        <h1>Activity</h1>
      </div>
      {mayComment && <NewComment shortId={issue.shortId} />}
      <nav className="segmented segmented-small" aria-label="Shown activity">
        <Link to={here({})} aria-current={onlyComments ? undefined : 'page'}>
          Everything
        </Link>
        <Link to={here({ only: 'comments' })} aria-current={onlyComments ? 'page' : undefined}>
          Comments only
        </Link>
      </nav>
      {fromId !== undefined && (
        <p>
          <Link to={here(only)}>Newest</Link>
        </p>
      )}
      {entries.length === 0 ? (
        <EmptyState title={onlyComments ? 'No comments' : 'Nothing was done yet'}>
          <p>
            {mayComment
              ? 'Write the first comment: what you know of it, or whom it concerns.'
              : 'Members can comment on the issue.'}
          </p>
        </EmptyState>
      ) : (
        <ActivityList
          shortId={issue.shortId}
          entries={entries}
          renderEditor={(entry) =>
            entry.id === editId && <EditComment shortId={issue.shortId} entry={entry} />
          }
          renderTools={(entry) => <CommentTools entry={entry} editHref={here({ ...only, edit: entry.id })} />}
        />
      )}
      {olderFrom !== undefined && (
        <p>
          <Link to={withoutFragment(here({ ...only, from: olderFrom }))}>Older</Link>
        </p>
      )}
    </div>
  )
}

const withoutFragment = (path: string): string => path.split('#', 1)[0] ?? path

type Answer = () => Promise<ActivityAnswer>

function NewComment({ shortId }: { readonly shortId: string }) {
  const state = useFormState('add')
  return (
    <>
      <CommentForm shortId={shortId} back="activity" state={state} />
      <Previewed form="add" />
    </>
  )
}

/** Without scripts: what the text that was posted would look like. */
function Previewed({ form }: { readonly form: string }) {
  const answer = useActionData<Answer>()
  if (answer?.form !== form || !answer.previewed) return null
  return (
    <section className="comment-preview" aria-label="Preview">
      <CommentText nodes={answer.previewed} mine={[]} />
    </section>
  )
}

function EditComment({ shortId, entry }: { readonly shortId: string; readonly entry: Entry }) {
  const { org, project } = useParams<'org' | 'project'>()
  const form = `edit-${entry.id}`
  const state = useFormState(form)
  const { comment } = entry
  if (!comment?.mayEdit) return null
  return (
    <>
      <CommentForm
        shortId={shortId}
        back="activity"
        state={state}
        edited={{ id: entry.id, body: comment.body ?? '' }}
      >
        <Link className="button button-quiet" to={paths.issueActivity(org, project, shortId)}>
          Cancel
        </Link>
      </CommentForm>
      <Previewed form={form} />
    </>
  )
}

/** Within the form of the reactions: the button says what it does instead of it. */
function CommentTools({ entry, editHref }: { readonly entry: Entry; readonly editHref: string }) {
  const { comment } = entry
  if (!comment || !(comment.mayEdit || comment.mayDelete)) return null
  return (
    <span className="comment-tools">
      {comment.mayEdit && (
        <Link className="button button-small button-quiet" to={editHref} aria-label={`Edit your comment`}>
          Edit
        </Link>
      )}
      {comment.mayDelete && (
        <details className="comment-delete">
          <summary className="button button-small button-quiet">Delete</summary>
          <button type="submit" name="does" value="delete" className="button button-small button-danger">
            Delete for good
          </button>
        </details>
      )}
    </span>
  )
}
