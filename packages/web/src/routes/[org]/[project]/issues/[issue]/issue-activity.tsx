import type { FixCommit, IssueActivity } from '@sonde/queries'
import { Ago } from '../../../../../ui/time.tsx'
import { titleOf, UserText } from '../../../../../ui/user-text.tsx'

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

const WORDS: Readonly<Record<IssueActivity['kind'], string>> = {
  new: 'First seen',
  regressed: 'Came back',
  reopened: 'Reopened',
  resolved: 'Resolved',
  ignored: 'Ignored',
}

/** Of an issue of theirs that is linked. */
const TRACKER_WORDS: Readonly<Partial<Record<IssueActivity['kind'], string>>> = {
  reopened: 'Opened again in',
  resolved: 'Closed in',
}

/** What happened to the issue, the newest first. */
export function ActivityList({ activity }: { readonly activity: readonly IssueActivity[] }) {
  if (activity.length === 0) return null
  return (
    <div className="activity">
      <h2>Activity</h2>
      <ul>
        {activity.map(({ id, kind, atMs, by, isFromTracker, commit }) => (
          <li key={id}>
            {isFromTracker ? (TRACKER_WORDS[kind] ?? `${WORDS[kind]} in`) : WORDS[kind]}
            {by !== '' && (
              <>
                {isFromTracker ? ' ' : ' by '}
                {commit ? <CommitName commit={commit} /> : <UserText text={by} />}
              </>
            )}{' '}
            <span className="muted">
              <Ago atMs={atMs} />
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
