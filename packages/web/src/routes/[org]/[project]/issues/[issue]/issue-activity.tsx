import type { FixCommit } from '@sonde/queries'
import { Link, useParams } from '@sonde/router'
import { paths } from '../../../../../paths.ts'
import { Avatar } from '../../../../../ui/avatar.tsx'
import { Ago } from '../../../../../ui/time.tsx'
import { titleOf, UserText } from '../../../../../ui/user-text.tsx'
import { CommentForm } from './comment-form.tsx'
import { ReactionBar } from './comment-reactions.tsx'
import { FoldedComment } from './comment-text.tsx'
import type { loadActivity } from './load-activity.server.ts'

/** Its first characters, as the way to the commit where it is known where that can be read, and its author. */
export function CommitName({ commit }: { readonly commit: FixCommit }) {
  const { sha, message, authorName, authorEmail, url } = commit
  const author = authorName || authorEmail
  const name = <code title={titleOf(message)}>{sha.slice(0, 8)}</code>
  return (
    <>
      commit{' '}
      {url === undefined ? (
        name
      ) : (
        <a href={url} rel="noreferrer noopener">
          {name}
        </a>
      )}
      {author !== '' && (
        <>
          {' '}
          of <UserText text={author} />
        </>
      )}
    </>
  )
}

export type ShownActivity = Awaited<ReturnType<typeof loadActivity>>
type Entry = ShownActivity['entries'][number]

/** On the page of the issue: the newest of it, and where one writes about it. */
export function ActivityPanel({
  shortId,
  activity,
}: {
  readonly shortId: string
  readonly activity: ShownActivity
}) {
  const { org, project } = useParams<'org' | 'project'>()
  const { entries, mayComment, olderFrom } = activity
  if (entries.length === 0 && !mayComment) return null
  return (
    <div className="activity">
      <h2>Activity</h2>
      {mayComment && <CommentForm shortId={shortId} back="issue" />}
      <ActivityList shortId={shortId} entries={entries} />
      {(olderFrom !== undefined || entries.some(({ comment }) => comment)) && (
        <p>
          <Link to={paths.issueActivity(org, project, shortId)} prefetch="intent">
            Show all activity
          </Link>
        </p>
      )}
    </div>
  )
}

type ListProps = {
  readonly shortId: string
  readonly entries: readonly Entry[]
  /** What stands beside the reactions to a comment. */
  readonly renderTools?: (entry: Entry) => React.ReactNode
  /** Instead of the comment's text. */
  readonly renderEditor?: (entry: Entry) => React.ReactNode
}

/** The newest first. */
export function ActivityList({ shortId, entries, renderTools, renderEditor }: ListProps) {
  const { org, project } = useParams<'org' | 'project'>()
  const action = paths.issueActivity(org, project, shortId)
  return (
    <ul className="activity-list">
      {entries.map((entry) => {
        const { id, comment } = entry
        const edited = comment && renderEditor?.(entry)
        return (
          <li key={id} id={comment && `comment-${id}`} className={comment && 'comment'}>
            <EntryHead entry={entry} />
            {comment &&
              (edited || (
                <FoldedComment id={id} nodes={comment.nodes} mine={comment.mine} isLong={comment.isLong} />
              ))}
            {comment && !edited && (
              <ReactionBar id={id} action={action} reactions={comment.reactions} mayReact={comment.mayReact}>
                {renderTools?.(entry)}
              </ReactionBar>
            )}
          </li>
        )
      })}
    </ul>
  )
}

function EntryHead({
  entry: { atMs, by, userId, isFromTracker, commit, words, comment, mergedFrom },
}: {
  readonly entry: Entry
}) {
  const { text, link } = words
  return (
    <p className="activity-head">
      <Avatar of={{ type: userId === undefined ? 'other' : 'user', id: userId ?? '', name: by }} />
      {comment ? (
        <strong>
          <UserText text={by || 'Somebody'} />
        </strong>
      ) : (
        <>
          <bdi>{text}</bdi>
          {link && (
            <>
              {' '}
              {link.isExternal ? (
                <a href={link.href} rel="noreferrer noopener">
                  <bdi>{link.text}</bdi>
                </a>
              ) : (
                <Link to={link.href}>
                  <bdi>{link.text}</bdi>
                </Link>
              )}
            </>
          )}
          {by !== '' && (
            <>
              {isFromTracker ? ' ' : ' by '}
              {commit ? <CommitName commit={commit} /> : <UserText text={by} />}
            </>
          )}
        </>
      )}{' '}
      <span className="muted">
        <Ago atMs={atMs} />
        {comment?.editedMs !== undefined && (
          <>
            , edited <Ago atMs={comment.editedMs} />
          </>
        )}
        {mergedFrom !== '' && <> · on {mergedFrom}</>}
      </span>
    </p>
  )
}
