import type { NavigationDetail } from '@sonde/queries'
import { Link, useLocation, useSearchParams } from '@sonde/router'
import { formatBytes } from '../../../../format/format-count.ts'
import { formatDuration } from '../../../../format/format-time.ts'
import { Section } from '../../../../ui/section.tsx'
import { ExactTime } from '../../../../ui/time.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import { IssueLink } from './failure-tables.tsx'
import { placeSearch } from './navigation-address.ts'
import { longerOfLoads } from './navigation-figures.ts'
import { TraceLink } from './navigation-links.tsx'
import { describeNavigation, PREFETCH_WORDS, TRIGGER_WORDS, wordOf } from './navigation-words.ts'
import type { loadOneNavigation } from './page.server.ts'
import { PhaseBar } from './phase-bar.tsx'

type Props = {
  readonly org: string
  /** Undefined: the navigation in the address is not stored. */
  readonly one: Awaited<ReturnType<typeof loadOneNavigation>>
}

/** One navigation in full. */
export function NavigationPanel({ org, one }: Props) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  const close = (
    <Link
      className="button button-small"
      to={pathname + placeSearch(params, { navigation: undefined })}
      prefetch="none"
    >
      Close
    </Link>
  )
  if (!one)
    return (
      <Section id="navigation" title="Navigation not found" actions={close}>
        <p className="muted">It has expired, or the tab closed before it was sent.</p>
      </Section>
    )
  const { navigation, failures, issue, vitals } = one
  const { fromRoute, toRoute, phases, traceId } = navigation
  const from = fromRoute === '' ? undefined : fromRoute
  const pair = pathname + placeSearch(params, { from, to: toRoute, navigation: undefined })
  return (
    <Section
      id="navigation"
      title="Navigation details"
      note={
        <Link to={pair} prefetch="none">
          {from === undefined ? 'unknown page' : <UserText text={from} />} → <UserText text={toRoute} />
        </Link>
      }
      actions={
        <>
          <TraceLink org={org} traceId={traceId} /> {close}
        </>
      }
    >
      <p>
        <UserText text={describeNavigation(navigation)} />
      </p>
      <PhaseBar phases={longerOfLoads(phases)} of="This navigation" />
      {failures.length > 0 && (
        <ul className="nav-failures">
          {failures.map(({ endpoint, answer, attempts, isSeen, isRecovered }) => (
            <li key={endpoint}>
              <code>
                <UserText text={endpoint} />
              </code>{' '}
              failed: {answer}, {attempts === 1 ? '1 attempt' : `${attempts} attempts`}
              {isRecovered && ', then succeeded'}
              {isSeen && ', the user saw an error'}
            </li>
          ))}
        </ul>
      )}
      {issue && (
        <p className="nav-failures">
          Related issue: <IssueLink org={org} issue={issue} />
        </p>
      )}
      <dl className="nav-facts">
        {[...factsOf(navigation), ...vitals].map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <UserText text={value} />
            </dd>
          </div>
        ))}
        <div>
          <dt>Time</dt>
          <dd>
            <ExactTime atMs={navigation.atMs} />
          </dd>
        </div>
      </dl>
    </Section>
  )
}

/** What was reported, as name and value. */
function factsOf(navigation: NavigationDetail): readonly (readonly [name: string, value: string])[] {
  const { prefetch, cache, cacheAgeMs, bytes, requests, trigger } = navigation
  const age = cacheAgeMs === undefined ? '' : `, ${formatDuration(cacheAgeMs)} old`
  const facts = [
    ['From', navigation.fromPath],
    ['To', navigation.toPath],
    ['Trigger', wordOf(TRIGGER_WORDS, trigger) ?? trigger],
    ['Prefetch', wordOf(PREFETCH_WORDS, prefetch)?.name ?? ''],
    ['Cache', cache === '' ? '' : `${cache}${age}`],
    ['Page data', requests === undefined ? '' : `${requests} ${requests === 1 ? 'request' : 'requests'}`],
    ['Transferred', bytes === undefined ? '' : formatBytes(bytes)],
    ['Build', navigation.build],
    ['Environment', navigation.environment],
    ['Router', navigation.router],
    ['Browser', [navigation.browser, navigation.os, navigation.device].filter(Boolean).join(', ')],
    ['Connection', [navigation.connection, navigation.country].filter(Boolean).join(', ')],
    ['User', navigation.userKey.replace(/^id:/, '')],
  ] as const
  return facts.filter(([, value]) => value !== '')
}
