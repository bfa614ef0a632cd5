import type { Health, HealthOfRelease } from '@sonde/queries'
import type { TrendSeries } from '../../../../../charts/chart-series.ts'
import { countOf, formatExact, formatShare } from '../../../../../format/format-count.ts'
import { Count } from '../../../../../ui/count.tsx'
import { UserText } from '../../../../../ui/user-text.tsx'
import { CrashFree } from '../crash-free.tsx'
import { crashFreeText, sessionsText } from '../health.ts'
import { ShareChart } from '../share-chart.tsx'

type Props = Pick<HealthOfRelease, 'release' | 'total' | 'environments'> & { readonly series: TrendSeries }

/** Sessions of the release: how many were without a crash, over time and by environment. */
export function ReleaseHealth({ release, total, environments, series }: Props) {
  if (!release || !total) return <NoSessions isOfRelease={total !== undefined} />
  const { sessions, users } = release
  return (
    <div className="release-health">
      <dl className="release-facts">
        <Rate name="Crash-free sessions" health={release} of="session" />
        <Rate name="Crash-free users" health={release} of="user" />
        <div>
          <dt>Sessions</dt>
          <dd title={sessionsText(release)}>
            <Count value={sessions.all} noun="session" />{' '}
            <span className="muted">{formatShare(sessions.all, total.sessions.all)} of all</span>
          </dd>
        </div>
        <div>
          <dt>Users</dt>
          <dd>
            {users.all === 0 ? (
              <span className="muted">not named</span>
            ) : (
              <>
                <Count value={users.all} noun="user" />{' '}
                <span className="muted">{formatShare(users.all, total.users.all)} of all</span>
              </>
            )}
          </dd>
        </div>
      </dl>
      <ShareChart title="Sessions that crashed (%)" series={series} noun="session" />
      <div className="perf-scroll" role="region" aria-label="Sessions by environment" tabIndex={0}>
        <table className="perf-table">
          <thead>
            <tr>
              <th scope="col">Environment</th>
              <th scope="col" className="col-num">
                Sessions
              </th>
              <th scope="col" className="col-num" title="With errors that were handled">
                Errored
              </th>
              <th scope="col" className="col-num" title="Hung or killed">
                Abnormal
              </th>
              <th scope="col" className="col-num">
                Crashed
              </th>
              <th scope="col" className="col-num">
                Crash-free sessions
              </th>
              <th scope="col" className="col-num">
                Crash-free users
              </th>
            </tr>
          </thead>
          <tbody>
            {environments.map((row) => (
              <EnvironmentRow key={row.environment} {...row} />
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}

function Rate({ name, health, of }: { name: string; health: Health; of: 'session' | 'user' }) {
  const text =
    of === 'session'
      ? crashFreeText(health.crashFreeSessions, health.sessions, of)
      : crashFreeText(health.crashFreeUsers, health.users, of)
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <CrashFree health={health} of={of} />{' '}
        <span className="muted">{text ? text.title : 'no session names its user'}</span>
      </dd>
    </div>
  )
}

function EnvironmentRow({ environment, sessions, ...health }: HealthOfRelease['environments'][number]) {
  return (
    <tr>
      <th scope="row">
        {environment === '' ? <span className="muted">none</span> : <UserText text={environment} />}
      </th>
      <td className="col-num">
        <Count value={sessions.all} noun="session" />
      </td>
      <td className="col-num num" title={countOf(sessions.unhandled, 'unhandled error')}>
        {formatExact(sessions.errored + sessions.unhandled)}
      </td>
      <td className="col-num num">{formatExact(sessions.abnormal)}</td>
      <td className="col-num num">{formatExact(sessions.crashed)}</td>
      <td className="col-num">
        <CrashFree health={{ sessions, ...health }} of="session" />
      </td>
      <td className="col-num">
        <CrashFree health={{ sessions, ...health }} of="user" />
      </td>
    </tr>
  )
}

/** What sends sessions: most SDKs do by themselves once they know their release. */
function NoSessions({ isOfRelease }: { readonly isOfRelease: boolean }) {
  if (isOfRelease) return <p className="muted">No session of this release began in this period.</p>
  return (
    <p className="muted">
      No sessions in this period. Sentry’s SDKs send them by themselves when <code>release</code> is set:
      browsers one for each page load, servers one for each request. If yours does not, check that its session
      integration is not switched off, and choose a longer period.
    </p>
  )
}
