import '../../../../parts/performance/performance.css'
import '../../../../parts/explore/explore.css'
import './profiles.css'
import type { ListedProfile, ProfiledTransaction } from '@sonde/queries'
import { Link, useLocation, usePageData, useParams, useSearchParams } from '@sonde/router'
import { formatExact } from '../../../../format/format-count.ts'
import { formatDuration } from '../../../../format/format-time.ts'
import { FilterBar } from '../../../../parts/filter-bar/filter-bar.tsx'
import { usePaths } from '../../../../shell/use-paths.ts'
import { Snippet } from '../../../../ui/copy-button.tsx'
import { EmptyState, Section } from '../../../../ui/section.tsx'
import { Ago } from '../../../../ui/time.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import { FlameGraph } from './flame-graph.tsx'
import { FunctionTable } from './function-table.tsx'
import type { load } from './page.server.ts'

export const title = (): string => 'Profiles · Sonde'

export default function Profiles() {
  const { org, project } = useParams<'org' | 'project'>()
  const { transaction, transactions, newest, tree, merged, choices, isNarrowed, dsn, ...data } =
    usePageData<typeof load>()
  const { functions, isBySlower, stepMs, mayAlert } = data
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  const kept = usePaths()
  const without = new URLSearchParams(params)
  without.delete('transaction')
  return (
    <div className="page page-wide">
      <div className="explore-head">
        <h1 className="sr-only">Profiles of {project}</h1>
        <FilterBar org={org} project={project} source="profiles" choices={choices} />
      </div>
      {transaction !== undefined && (
        <p>
          Profiles of <UserText text={transaction} />{' '}
          <Link className="text-link" to={`${pathname}?${without}`} prefetch="none">
            Show all transactions
          </Link>
        </p>
      )}
      {newest.length === 0 ? (
        <NoProfiles isNarrowed={isNarrowed} dsn={dsn} />
      ) : (
        <>
          <Section
            id="flame-graph"
            title="Flame graph"
            note={merged === 1 ? 'of one profile' : `of the newest ${formatExact(merged)} profiles`}
          >
            <p>
              <Link
                className="text-link"
                to={kept.compareProfiles(org, project, transaction)}
                prefetch="none"
              >
                Compare releases
              </Link>
            </p>
            <FlameGraph tree={tree} />
          </Section>
          {transactions.length > 0 && <Transactions rows={transactions} />}
          <FunctionTable
            org={org}
            project={project}
            rows={functions}
            isBySlower={isBySlower}
            stepMs={stepMs}
            mayAlert={mayAlert}
          />
          <Newest org={org} project={project} rows={newest} />
        </>
      )}
    </div>
  )
}

function Transactions({ rows }: { readonly rows: readonly ProfiledTransaction[] }) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  const to = (transaction: string): string => {
    const next = new URLSearchParams(params)
    next.set('transaction', transaction)
    return `${pathname}?${next}`
  }
  return (
    <Section id="transactions" title="Transactions">
      <div className="perf-scroll" role="region" aria-label="Table of transactions" tabIndex={0}>
        <table className="perf-table">
          <thead>
            <tr>
              <th scope="col">Transaction</th>
              <th scope="col" className="col-num">
                Profiles
              </th>
              <th scope="col" className="col-num">
                p75 duration
              </th>
              <th scope="col">Last</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ transaction, profiles, p75, lastMs }) => (
              <tr key={transaction}>
                <th scope="row" className="perf-name">
                  <Link to={to(transaction)} prefetch="none">
                    <UserText text={transaction} />
                  </Link>
                </th>
                <td className="num col-num">{formatExact(profiles)}</td>
                <td className="num col-num">{formatDuration(p75)}</td>
                <td>
                  <Ago atMs={lastMs} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  )
}

type NewestProps = { readonly org: string; readonly project: string; readonly rows: readonly ListedProfile[] }

function Newest({ org, project, rows }: NewestProps) {
  const kept = usePaths()
  return (
    <Section id="newest" title="Newest profiles">
      <div className="perf-scroll" role="region" aria-label="Table of newest profiles" tabIndex={0}>
        <table className="perf-table">
          <thead>
            <tr>
              <th scope="col">Profile</th>
              <th scope="col">Time</th>
              <th scope="col" className="col-num">
                Duration
              </th>
              <th scope="col" className="col-num">
                Samples
              </th>
              <th scope="col">Release</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ profileId, profilerId, transaction, atMs, durationMs, samples, release }) => (
              <tr key={profileId}>
                <th scope="row" className="perf-name">
                  <Link to={kept.profile(org, project, profileId)} prefetch="none">
                    <UserText text={profilerId === '' ? transaction : `Chunk ${profileId.slice(0, 8)}`} />
                  </Link>
                </th>
                <td>
                  <Ago atMs={atMs} />
                </td>
                <td className="num col-num">{formatDuration(durationMs)}</td>
                <td className="num col-num">{formatExact(samples)}</td>
                <td>
                  <UserText text={release} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  )
}

function NoProfiles({ isNarrowed, dsn }: { readonly isNarrowed: boolean; readonly dsn: string | undefined }) {
  if (isNarrowed)
    return (
      <EmptyState title="No matching profiles">
        <p>Remove a filter or choose a longer time range.</p>
      </EmptyState>
    )
  return (
    <EmptyState title="No profiles in the last 7 days" docs="profiles">
      <p>Switch profiling on in a Sentry SDK. Browsers also need the header Document-Policy: js-profiling.</p>
      {dsn !== undefined && (
        <>
          <Snippet what="code for browsers" code={browserCode(dsn)} />
          <Snippet
            what="code for Python"
            code={`sentry_sdk.init(dsn="${dsn}", traces_sample_rate=1.0, profiles_sample_rate=1.0)`}
          />
        </>
      )}
    </EmptyState>
  )
}

const browserCode = (dsn: string): string => `Sentry.init({
  dsn: '${dsn}',
  integrations: [Sentry.browserTracingIntegration(), Sentry.browserProfilingIntegration()],
  tracesSampleRate: 1,
  profileSessionSampleRate: 1,
  profileLifecycle: 'trace',
})`
