import '../../../../charts/charts.css'
import '../../../../parts/issue-list/issues.css'
import '../../../../parts/performance/performance.css'
import '../../../../parts/explore/explore.css'
import './logs.css'
import type { LogPatterns } from '@sonde/queries'
import { Form, Link, useLocation, usePageData, useParams, useSearchParams } from '@sonde/router'
import { formatExact } from '../../../../format/format-count.ts'
import { NewAlertLink } from '../../../../parts/alerts/new-alert-link.tsx'
import { FilterBar } from '../../../../parts/filter-bar/filter-bar.tsx'
import { SearchBox, SearchRefusal } from '../../../../parts/search-box/search-box.tsx'
import { paths } from '../../../../paths.ts'
import { OtherParams } from '../../../../shell/range-form.tsx'
import { useRefresh } from '../../../../shell/use-refresh.ts'
import { Snippet } from '../../../../ui/copy-button.tsx'
import { useIsInBrowser } from '../../../../ui/page-clock.tsx'
import { EmptyState } from '../../../../ui/section.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import { LogChart } from './log-chart.tsx'
import { LogList } from './log-list.tsx'
import { type LogSearch, VIEWS, withLogs, withTerm } from './log-search.ts'
import type { load } from './page.server.ts'

export const title = (): string => 'Logs · Sonde'

/** New lines are looked for so often while the tail is live. */
const LIVE_EVERY_MS = 2_000
const VIEW_NAMES = { lines: 'Lines', patterns: 'Patterns' } as const

export default function Logs() {
  const { org, project } = useParams<'org' | 'project'>()
  const data = usePageData<typeof load>()
  const { search, choices, isNarrowed, mayAlert } = data
  const { series, page, patterns, refusal } =
    'refusal' in data ? { ...NOTHING, refusal: data.refusal } : { ...data, refusal: undefined }
  useRefresh(search.isLive ? LIVE_EVERY_MS : undefined)
  return (
    <div className="page page-wide">
      <div className="explore-head">
        <h1 className="sr-only">Logs of {project}</h1>
        <FilterBar
          org={org}
          project={project}
          source="logs"
          choices={choices}
          action={
            mayAlert &&
            refusal === undefined && (
              <NewAlertLink
                org={org}
                project={project}
                start={{ metric: 'logs|count()', query: search.query }}
              />
            )
          }
        />
      </div>
      <LogForm org={org} project={project} search={search} isRefused={refusal !== undefined} />
      {refusal && <SearchRefusal query={search.query} refusal={refusal} />}
      {series && series.total === 0 && (
        <NoLines isNarrowed={isNarrowed} dsn={'dsn' in data ? data.dsn : undefined} />
      )}
      {series && series.total > 0 && (
        <>
          <LogChart series={series} query={search.query} />
          {patterns && <PatternTable {...patterns} query={search.query} />}
          {page && (
            <>
              <LogList
                org={org}
                project={project}
                search={search}
                lines={page.lines}
                issues={'issues' in data ? data.issues : {}}
              />
              <Pages search={search} last={page.lines.at(-1)?.id} hasMore={page.hasMore} />
            </>
          )}
        </>
      )}
    </div>
  )
}

const NOTHING = { series: undefined, page: undefined, patterns: undefined }

type FormProps = {
  readonly org: string
  readonly project: string
  readonly search: LogSearch
  readonly isRefused: boolean
}

function LogForm({ org, project, search, isRefused }: FormProps) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  const isInBrowser = useIsInBrowser()
  return (
    <Form method="get" action={pathname} role="search" className="explore-form">
      <OtherParams params={params} without={['query', 'before']} />
      <div className="explore-line">
        <SearchBox
          suggestions={paths.logsSuggestions(org, project)}
          what="logs"
          placeholder={'severity:error "connection refused"'}
          query={search.query}
          statsPeriod={params.get('statsPeriod') ?? ''}
          isRefused={isRefused}
        />
        <button type="submit" className="button button-primary">
          Run
        </button>
        <nav className="segmented" aria-label="View">
          {VIEWS.map((view) => (
            <Link
              key={view}
              to={pathname + withLogs(params, { view: view === 'lines' ? undefined : view })}
              prefetch="none"
              aria-current={view === search.view ? 'true' : undefined}
            >
              {VIEW_NAMES[view]}
            </Link>
          ))}
        </nav>
        {isInBrowser && search.view === 'lines' && (
          <Link
            className="button"
            to={pathname + withLogs(params, { live: search.isLive ? undefined : '1' })}
            prefetch="none"
            aria-current={search.isLive ? 'true' : undefined}
          >
            {search.isLive ? 'Stop live tail' : 'Live tail'}
          </Link>
        )}
      </div>
    </Form>
  )
}

type PagesProps = {
  readonly search: LogSearch
  readonly last: string | undefined
  readonly hasMore: boolean
}

function Pages({ search, last, hasMore }: PagesProps) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  if (search.before === undefined && !hasMore) return null
  return (
    <nav className="pages" aria-label="Pages">
      {last === undefined && <span className="muted">No older lines.</span>}
      {search.before !== undefined && (
        <Link className="button button-small" to={pathname + withLogs(params, {})} prefetch="none">
          Newest
        </Link>
      )}
      {hasMore && (
        <Link
          className="button button-small"
          to={pathname + withLogs(params, { before: last, live: undefined })}
          prefetch="none"
          rel="next"
        >
          Older
        </Link>
      )}
    </nav>
  )
}

function PatternTable({ patterns, lines, isWhole, query }: LogPatterns & { readonly query: string }) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  return (
    <div className="perf-scroll" role="region" aria-label="Patterns" tabIndex={0}>
      <table className="perf-table">
        <caption className="muted log-caption">
          {isWhole
            ? `Patterns of all ${formatExact(lines)} lines`
            : `Patterns of the newest ${formatExact(lines)} lines`}
        </caption>
        <thead>
          <tr>
            <th scope="col" className="col-num">
              Lines
            </th>
            <th scope="col">Severity</th>
            <th scope="col">Pattern</th>
            <th scope="col">Latest example</th>
          </tr>
        </thead>
        <tbody>
          {patterns.map(({ pattern, count, severity, example, search }) => (
            <tr key={pattern}>
              <td className="num col-num">{formatExact(count)}</td>
              <td>{severity}</td>
              <td className="perf-name">
                <Link
                  to={pathname + withLogs(params, { query: withTerm(query, search), view: undefined })}
                  prefetch="none"
                  title="Show these lines"
                >
                  <UserText text={pattern === '' ? '(empty)' : pattern} />
                </Link>
              </td>
              <td className="perf-name muted">
                <UserText text={example.slice(0, 300)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Either nothing matches, or nothing is sent yet. */
function NoLines({ isNarrowed, dsn }: { readonly isNarrowed: boolean; readonly dsn: string | undefined }) {
  if (isNarrowed)
    return (
      <EmptyState title="No matching log lines">
        <p>Remove a filter or choose a longer time range.</p>
      </EmptyState>
    )
  return (
    <EmptyState title="No logs in the last 7 days" docs="logs">
      <p>Send lines with any Sentry SDK that has logs switched on, or over OTLP.</p>
      {dsn !== undefined && (
        <>
          <Snippet
            what="code for JavaScript and Node.js"
            code={`Sentry.init({ dsn: '${dsn}', enableLogs: true })

Sentry.logger.info('order placed', { 'order.id': 17 })`}
          />
          <Snippet
            what="code for Python"
            code={`sentry_sdk.init(dsn="${dsn}", enable_logs=True)

sentry_sdk.logger.info("order placed", attributes={"order.id": 17})`}
          />
        </>
      )}
    </EmptyState>
  )
}
