/** An issue's activity and comments as Sentry's public API says them: `{id, type, user, data, dateCreated}`. */
import type { IssueActivity } from '@sonde/queries'
import { isoDate } from './date.ts'

/** Sentry's names of what ours means the same. */
const TYPES: Readonly<Record<IssueActivity['kind'], string>> = {
  new: 'first_seen',
  regressed: 'set_regression',
  reopened: 'set_unresolved',
  resolved: 'set_resolved',
  ignored: 'set_ignored',
  assigned: 'assigned',
  unassigned: 'unassigned',
  priority_changed: 'set_priority',
  escalating: 'set_escalating',
  comment: 'note',
  merged: 'merge',
  unmerged: 'unmerge_source',
  reprocessed: 'reprocess',
  shared: 'set_public',
  unshared: 'set_private',
  linked: 'create_issue',
  unlinked: 'unlink_issue',
  notified: 'notified',
}

export const activityJson = (activity: IssueActivity) => ({
  id: String(activity.id),
  type: typeOf(activity),
  user: userJson(activity),
  data: dataOf(activity),
  dateCreated: isoDate(activity.atMs),
})

function typeOf({ kind, detail, commit }: IssueActivity): string {
  if (kind !== 'resolved') return TYPES[kind]
  if (commit) return 'set_resolved_in_commit'
  return detail.resolvedIn === '' ? 'set_resolved' : 'set_resolved_in_release'
}

/** Null: no person did it. */
function userJson({ actor, by }: Pick<IssueActivity, 'actor' | 'by'>) {
  return actor.startsWith('user:') ? { id: actor.slice('user:'.length), name: by } : null
}

function dataOf({
  kind,
  detail,
  commit,
  comment,
  mergedFrom,
}: IssueActivity): Readonly<Record<string, unknown>> {
  if (comment)
    return {
      text: comment.body,
      mentions: comment.mentions.map(({ whom }) => whom).filter(Boolean),
      ...(comment.editedMs !== undefined && { dateEdited: isoDate(comment.editedMs) }),
      ...(mergedFrom !== '' && { mergedFrom }),
      reactions: comment.reactions.map(({ reaction, count, isMine }) => ({ reaction, count, isMine })),
    }
  if (kind === 'resolved' || kind === 'regressed')
    return {
      ...(detail.release !== '' && { version: detail.release }),
      ...(detail.resolvedIn === 'next_release' && { inNextRelease: true }),
      ...(commit && { commit: commit.sha }),
    }
  return detail.stored
}
