import type { StockNavigations, StockTarget } from '@sonde/queries'
import { Link, useLocation, useSearchParams } from '@sonde/router'
import { formatExact, formatShare } from '../../../../format/format-count.ts'
import { formatDuration } from '../../../../format/format-time.ts'
import { ExtrapolatedCount } from '../../../../parts/performance/extrapolated-count.tsx'
import { Snippet } from '../../../../ui/copy-button.tsx'
import { Count } from '../../../../ui/count.tsx'
import { Section } from '../../../../ui/section.tsx'
import { Ago } from '../../../../ui/time.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import { IssueLink } from './failure-tables.tsx'
import { placeSearch } from './navigation-address.ts'
import { NavigationLink, TraceLink } from './navigation-links.tsx'

type Props = {
  readonly org: string
  readonly stock: StockNavigations
  /** Nothing else tells of navigations: the page says what would. */
  readonly isAlone: boolean
}

/** Navigations that only Sentry’s SDK told of, and the requests that failed below them. */
export function StockSection({ org, stock: { targets, requests }, isAlone }: Props) {
  return (
    <>
      <Section
        id="stock"
        title="Navigations of the Sentry SDK"
        note="outcome not known; durations are those of the SDK’s idle span"
      >
        <p className="muted nav-stock-about">
          Sentry’s SDK reports where a navigation went, not how it ended: its span ends after a second without
          requests, with the next navigation or with the tab. These count in no failure rate and no time to
          visible.
        </p>
        {isAlone && <AddOn />}
        <TargetTable org={org} targets={targets} />
      </Section>
      <Section
        id="stock-requests"
        title="Failed requests during navigations"
        note={requests.length > 0 ? 'http.client spans; no answer, or status 400 and above' : undefined}
      >
        {requests.length > 0 ? (
          <RequestTable org={org} requests={requests} />
        ) : (
          <p className="muted">No failed requests in the traces of these navigations.</p>
        )}
      </Section>
    </>
  )
}

/** What the add-on would tell beside, in one sentence, and how to add it. */
function AddOn() {
  return (
    <>
      <p className="nav-stock-about">
        Add <code>@sonde/sentry-integration</code> to the same SDK and each navigation also has its outcome,
        phases, time to visible, prefetches, and the requests it hangs on:
      </p>
      <Snippet
        what="code that adds the navigation ledger to Sentry’s SDK"
        code={`import { sondeNavigations } from '@sonde/sentry-integration'

Sentry.addIntegration(sondeNavigations())`}
      />
    </>
  )
}

function TargetTable({ org, targets }: { readonly org: string; readonly targets: readonly StockTarget[] }) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  return (
    <div
      className="perf-scroll"
      role="region"
      aria-label="Navigations of the Sentry SDK by target"
      tabIndex={0}
    >
      <table className="perf-table">
        <thead>
          <tr>
            <th scope="col">To</th>
            <th scope="col" className="col-num" title="Extrapolated from sampled data">
              Count
            </th>
            <th scope="col" className="col-num" title="Identified users">
              Users
            </th>
            <th scope="col" className="col-num" title="Median duration of the SDK’s idle span">
              Idle span p50
            </th>
            <th
              scope="col"
              className="col-num"
              title="75th percentile of the SDK’s idle span: includes what the page requested meanwhile"
            >
              Idle span p75
            </th>
            <th
              scope="col"
              className="col-num"
              title="The span was ended by the next navigation, a hidden tab or its limit of 30 s"
            >
              Cut off
            </th>
            <th scope="col" className="col-num" title="An error was reported in the same trace">
              With error
            </th>
            <th scope="col">Last</th>
            <th scope="col">Issue</th>
          </tr>
        </thead>
        <tbody>
          {targets.map((target) => (
            <tr key={target.to}>
              <th scope="row" className="perf-name">
                <Link
                  to={
                    pathname + placeSearch(params, { to: target.to, from: undefined, navigation: undefined })
                  }
                  prefetch="none"
                >
                  <UserText text={target.to} />
                </Link>
                <span className="nav-sub">
                  {target.from.length > 0 ? (
                    <>
                      from <UserText text={target.from.join(', ')} />
                    </>
                  ) : (
                    'previous page not reported'
                  )}
                </span>
              </th>
              <td className="col-num">
                <ExtrapolatedCount count={target.count} samples={target.samples} noun="navigation" />
              </td>
              <td className="col-num">
                <Count value={target.users} noun="user" />
              </td>
              <td className="col-num num">{formatDuration(target.p50)}</td>
              <td className="col-num num">{formatDuration(target.p75)}</td>
              <td className="col-num num muted">{formatShare(target.cut, target.count)}</td>
              <td
                className={`col-num num ${target.withError > 0 ? 'perf-bad' : 'muted'}`}
                title={`${formatExact(target.withError)} of ${formatExact(target.count)}`}
              >
                {formatShare(target.withError, target.count)}
              </td>
              <td className="nav-last">
                <NavigationLink id={target.navigationId}>
                  <Ago atMs={target.lastMs} />
                </NavigationLink>{' '}
                <TraceLink org={org} traceId={target.traceId} />
              </td>
              <td className="nav-issue">
                <IssueLink org={org} issue={target.issue} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function RequestTable({
  org,
  requests,
}: {
  readonly org: string
  readonly requests: StockNavigations['requests']
}) {
  return (
    <div className="perf-scroll" role="region" aria-label="Failed requests during navigations" tabIndex={0}>
      <table className="perf-table">
        <thead>
          <tr>
            <th scope="col">Endpoint</th>
            <th scope="col" className="col-num">
              Failures
            </th>
            <th scope="col">Status</th>
            <th scope="col" className="col-num" title="Identified users">
              Users
            </th>
            <th scope="col">Last</th>
          </tr>
        </thead>
        <tbody>
          {requests.map(({ endpoint, count, answers, routes, users, lastMs, traceId }) => (
            <tr key={endpoint}>
              <th scope="row" className="perf-name">
                <code className="nav-endpoint">
                  <UserText text={endpoint} />
                </code>
                <span className="nav-sub">
                  on the way to <UserText text={routes.join(', ')} />
                </span>
              </th>
              <td className="col-num">
                <Count value={count} noun="failure" />
              </td>
              <td className="nav-answers">
                {answers
                  .map(({ answer, count: times }) => `${answerWord(answer)} × ${formatExact(times)}`)
                  .join(', ')}
              </td>
              <td className="col-num">
                <Count value={users} noun="user" />
              </td>
              <td className="nav-last">
                <Ago atMs={lastMs} /> <TraceLink org={org} traceId={traceId} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const answerWord = (answer: string): string => (answer === 'none' ? 'no response' : answer)
