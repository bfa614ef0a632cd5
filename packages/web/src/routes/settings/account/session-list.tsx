import { Form } from '@sonde/router'
import { Badge } from '../../../ui/badge.tsx'
import { Ago } from '../../../ui/time.tsx'
import { UserText } from '../../../ui/user-text.tsx'

/** From a browser's own words to what a person calls it. Only for reading: a user agent may say anything. */
type Named = readonly [pattern: RegExp, name: string]

/** The first that matches: most of them say that they are Chrome and Safari too. */
const BROWSERS: readonly Named[] = [
  [/\bEdg(?:e|A|iOS)?\/(\d+)/, 'Edge'],
  [/\b(?:OPR|Opera)\/(\d+)/, 'Opera'],
  [/\bSamsungBrowser\/(\d+)/, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\/(\d+)/, 'Firefox'],
  [/\b(?:HeadlessChrome|Chrome|CriOS|Chromium)\/(\d+)/, 'Chrome'],
  [/\bVersion\/(\d{1,6})[\d.]{0,20} (?:Mobile\/\S{1,20} )?Safari\//, 'Safari'],
  [/^curl\/(\d+)/, 'curl'],
]

const SYSTEMS: readonly Named[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

/** `Firefox 140 on Windows`; undefined when neither is known. */
export function deviceName(userAgent: string): string | undefined {
  const browser = BROWSERS.find(([pattern]) => pattern.test(userAgent))
  const system = SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1]
  const version = browser?.[0].exec(userAgent)?.[1]
  const name = browser && `${browser[1]} ${version}`
  if (name === undefined) return system === undefined ? undefined : `A browser on ${system}`
  return system === undefined ? name : `${name} on ${system}`
}

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
