/** Who has looked at the issue: notes it of whoever looks, and shows it to all who see the issue. */
import type { SeenBy } from '@sonde/queries'
import { useParams } from '@sonde/router'
import { useEffect, useEffectEvent } from 'react'
import { countOf } from '../../../../../format/format-count.ts'
import { Avatar } from '../../../../../ui/avatar.tsx'
import { Ago } from '../../../../../ui/time.tsx'
import { titleOf, UserText } from '../../../../../ui/user-text.tsx'

/** As the server counts it: a look soon after another is the same. */
const SAME_VIEW_MS = 5 * 60_000

/** Notes that the person has looked at it: after the page is shown, because a page that is asked for changes nothing. */
export function useSeen(id: number, seenMs: number | undefined): void {
  const { org } = useParams<'org'>()
  const note = useEffectEvent((issueId: number) => {
    if (seenMs !== undefined && Date.now() - seenMs < SAME_VIEW_MS) return
    void fetch(`/api/0/organizations/${encodeURIComponent(org)}/issues/?id=${issueId}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: '{"hasSeen":true}',
    }).catch(() => undefined)
  })
  // Once for each issue that is shown, not for each of its events, and not when the page is fetched again.
  useEffect(() => note(id), [id])
}

export type SeenByProps = {
  /** The last first. */
  readonly people: readonly Pick<SeenBy, 'userId' | 'name' | 'email' | 'lastSeenMs' | 'isMe'>[]
  readonly count: number
}

/** Who else is looking into it. */
export function SeenByList({ people, count }: SeenByProps) {
  if (people.length === 0) return null
  return (
    <div className="seen-by">
      <h2>Seen by</h2>
      <ul>
        {people.map(({ userId, name, email, lastSeenMs, isMe }) => (
          <li key={userId} title={titleOf(name === email ? name : `${name}, ${email}`)}>
            <Avatar of={{ type: 'user', id: userId, name }} />
            <span className="seen-name">
              <UserText text={name} />
              {isMe && ' (you)'}
            </span>
            <span className="muted">
              <Ago atMs={lastSeenMs} />
            </span>
          </li>
        ))}
      </ul>
      {count > people.length && <p className="muted">and {countOf(count - people.length, 'other')}</p>}
    </div>
  )
}
