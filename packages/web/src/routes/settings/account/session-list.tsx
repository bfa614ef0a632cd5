import { deviceName } from '@sonde/access/device-name'
import { Form } from '@sonde/router'
import { Badge } from '../../../ui/badge.tsx'
import { Ago } from '../../../ui/time.tsx'
import { UserText } from '../../../ui/user-text.tsx'

export type SessionRow = {
  readonly id: string
  readonly createdMs: number
  readonly lastSeenMs: number
  readonly userAgent?: string | undefined
  readonly ipAddress?: string | undefined
  readonly isCurrent: boolean
}

/** Where this person is signed in. */
export function SessionList({ sessions }: { readonly sessions: readonly SessionRow[] }) {
  return (
    <>
      <ul className="account-list">
        {sessions.map((session) => (
          <li key={session.id}>
            <div className="account-item">
              <p>
                <Device userAgent={session.userAgent} />{' '}
                {session.isCurrent && <Badge tone="good">this device</Badge>}
              </p>
              <p className="muted">
                {session.ipAddress !== undefined && (
                  <>
                    <bdi>{session.ipAddress}</bdi> ·{' '}
                  </>
                )}
                signed in <Ago atMs={session.createdMs} />
                {!session.isCurrent && (
                  <>
                    {' '}
                    · last seen <Ago atMs={session.lastSeenMs} />
                  </>
                )}
              </p>
            </div>
            {!session.isCurrent && (
              <Form>
                <input type="hidden" name="form" value="session" />
                <input type="hidden" name="sessionId" value={session.id} />
                <button
                  type="submit"
                  className="button button-small"
                  aria-label={`Sign out ${nameOf(session.userAgent)}`}
                >
                  {' '}
                  Sign out{' '}
                </button>
              </Form>
            )}
          </li>
        ))}
      </ul>
      {sessions.length > 1 && (
        <Form className="settings-line">
          <input type="hidden" name="form" value="other-sessions" />
          <button type="submit" className="button">
            Sign out all other sessions
          </button>
        </Form>
      )}
    </>
  )
}

const nameOf = (userAgent: string | undefined): string =>
  deviceName(userAgent ?? '') ?? userAgent ?? 'unknown browser'

/** The browser's own words are one hover away. */
function Device({ userAgent }: { readonly userAgent: string | undefined }) {
  const name = nameOf(userAgent)
  return userAgent === undefined || name === userAgent ? (
    <UserText text={name} />
  ) : (
    <span title={userAgent}>{name}</span>
  )
}
