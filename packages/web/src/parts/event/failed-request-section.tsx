/** Of an error that tells of a request without an answer: which, why, whether people saw it, and whether a retry helped. */
import './evidence.css'
import type { PageDataFailures } from '@sonde/queries'
import { Link, useParams } from '@sonde/router'
import { formatExact, formatShare } from '../../format/format-count.ts'
import { paths } from '../../paths.ts'
import { Section } from '../../ui/section.tsx'
import { UserText } from '../../ui/user-text.tsx'
import { CAUSES, type FailedRequest } from './failed-request.ts'

type Told = Pick<PageDataFailures, 'count' | 'seen' | 'stale' | 'recovered' | 'users' | 'usersWhoSaw'>
export type ShownFailedRequest = FailedRequest & {
  /** Of its navigation: undefined when nobody told of it. */
  readonly here: Told | undefined
  /** Of its endpoint, in so many days. */
  readonly all: Told | undefined
  readonly days: number
}

export function FailedRequestSection({ failed }: { readonly failed: ShownFailedRequest }) {
  const { org, project } = useParams() as { org: string; project?: string }
  const { endpoint, route, cause, isWrapped, here, all, days } = failed
  const { what = cause, todo } = CAUSES[cause] ?? {}
  return (
    <Section
      id="failed-request"
      title="Failed request"
      note={isWrapped ? 'cause of this error' : undefined}
      actions={
        project !== undefined && (
          <Link
            className="button button-small"
            to={`${paths.navigations(org, project)}#page-data`}
            prefetch="none"
          >
            All failed requests
          </Link>
        )
      }
    >
      <p>
        <code>
          <UserText text={endpoint} />
        </code>
        {route !== '' && (
          <>
            {' '}
            on <UserText text={route} />
          </>
        )}
        . {what} {todo}
      </p>
      {here && <p>{hereText(here)}</p>}
      {all ? (
        <dl className="evidence-facts">
          <Fact name={`Failures in ${days} days`}>{formatExact(all.count)}</Fact>
          <Fact name="Recovered by a retry">{`${formatShare(all.recovered, all.count)} (${formatExact(all.recovered)})`}</Fact>
          <Fact name="Error shown">{`${formatShare(all.seen, all.count)} (${formatExact(all.seen)})`}</Fact>
          <Fact name="Older data shown">{`${formatShare(all.stale, all.count)} (${formatExact(all.stale)})`}</Fact>
          <Fact name="Users who saw an error">{`${formatExact(all.usersWhoSaw)} of ${formatExact(all.users)}`}</Fact>
        </dl>
      ) : (
        <p className="muted">
          Whether people saw it and whether a retry helped is reported by <code>pageDataFailures()</code> of
          Sonde’s SDK, and by <code>@sonde/sentry-integration</code> beside Sentry’s.
        </p>
      )}
    </Section>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="num">{children}</dd>
    </div>
  )
}

function hereText({ seen, stale, recovered }: Told): string {
  if (seen > 0) return 'This time the person saw an error page or boundary.'
  if (recovered > 0) return 'This time a retry succeeded, and no error was shown.'
  return stale > 0
    ? 'This time older data stayed on the screen, and no error page was shown.'
    : 'This time no error page was shown, and no retry succeeded within 8 seconds.'
}
