import '../../../../parts/issue-list/issues.css'
import '../../../../parts/performance/performance.css'
import '../../../../parts/explore/explore.css'
import './replays.css'
import { Form, Link, useLocation, usePageData, useParams, useSearchParams } from '@sonde/router'
import { formatExact } from '../../../../format/format-count.ts'
import { formatDuration } from '../../../../format/format-time.ts'
import { FilterBar } from '../../../../parts/filter-bar/filter-bar.tsx'
import { SearchBox, SearchRefusal } from '../../../../parts/search-box/search-box.tsx'
import { paths } from '../../../../paths.ts'
import { OtherParams } from '../../../../shell/range-form.tsx'
import { Snippet } from '../../../../ui/copy-button.tsx'
import { EmptyState } from '../../../../ui/section.tsx'
import { Ago } from '../../../../ui/time.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import type { load } from './page.server.ts'
import { type ReplaySearch, SORT_NAMES, SORTS, withReplays } from './replay-search.ts'

export const title = (): string => 'Replays · Sonde'

type Row = Awaited<ReturnType<typeof load>>['rows'][number]

export default function Replays() {
  const { org, project } = useParams<'org' | 'project'>()
  const data = usePageData<typeof load>()
  const { search, issue, choices, isNarrowed, rows, next } = data
  const refusal = 'refusal' in data ? data.refusal : undefined
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  return (
    <div className="page page-wide">
      <div className="explore-head">
        <h1 className="sr-only">Replays of {project}</h1>
        <FilterBar org={org} project={project} source="replays" choices={choices} />
      </div>
      <SearchForm org={org} project={project} search={search} isRefused={refusal !== undefined} />
      {search.issue !== undefined && (
        <p>
          {issue ? (
            <>
              Replays in which{' '}
              <Link className="text-link" to={paths.issue(org, project, String(issue.id))} prefetch="none">
                {issue.shortId}
              </Link>{' '}
              happened: <UserText text={issue.title} />{' '}
            </>
          ) : (
            'The issue does not exist. '
          )}
          <Link
            className="text-link"
            to={pathname + withReplays(params, { issue: undefined })}
            prefetch="none"
          >
            Show all replays
          </Link>
        </p>
      )}
      {refusal && <SearchRefusal query={search.query} refusal={refusal} />}
      {!refusal && rows.length === 0 && (
        <NoReplays isNarrowed={isNarrowed} dsn={'dsn' in data ? data.dsn : undefined} />
      )}
      {rows.length > 0 && <ReplayTable org={org} project={project} rows={rows} />}
      {(next !== undefined || search.cursor !== undefined) && (
        <nav className="pages" aria-label="Pages">
          {search.cursor !== undefined && (
            <Link className="button button-small" to={pathname + withReplays(params, {})} prefetch="none">
              First page
            </Link>
          )}
          {next !== undefined && (
            <Link
              className="button button-small"
              to={pathname + withReplays(params, { cursor: next })}
              prefetch="none"
              rel="next"
            >
              Next page
            </Link>
          )}
        </nav>
      )}
    </div>
  )
}

type FormProps = {
  readonly org: string
  readonly project: string
  readonly search: ReplaySearch
  readonly isRefused: boolean
}

function SearchForm({ org, project, search, isRefused }: FormProps) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  return (
    <>
      <Form method="get" action={pathname} role="search" className="explore-form">
        <OtherParams params={params} without={['query', 'cursor']} />
        <div className="explore-line">
          <SearchBox
            suggestions={paths.replaysSuggestions(org, project)}
            what="replays"
            placeholder="errors:>0 url:*checkout*"
            query={search.query}
            statsPeriod={params.get('statsPeriod') ?? ''}
            isRefused={isRefused}
          />
          <button type="submit" className="button button-primary">
            Search
          </button>
        </div>
      </Form>
      <nav className="segmented replay-sorts" aria-label="Order">
        {SORTS.map((sort) => (
          <Link
            key={sort}
            to={pathname + withReplays(params, { sort: sort === 'newest' ? undefined : sort })}
            prefetch="none"
            aria-current={sort === search.sort ? 'true' : undefined}
          >
            {SORT_NAMES[sort]}
          </Link>
        ))}
      </nav>
    </>
  )
}

type TableProps = { readonly org: string; readonly project: string; readonly rows: readonly Row[] }

const NUMBERS = ['Duration', 'Errors', 'Rage clicks', 'Dead clicks', 'Pages', 'Activity'] as const

function ReplayTable({ org, project, rows }: TableProps) {
  return (
    <div className="perf-scroll" role="region" aria-label="Table of replays" tabIndex={0}>
      <table className="perf-table">
        <thead>
          <tr>
            <th scope="col">Replay</th>
            <th scope="col">Started</th>
            {NUMBERS.map((name) => (
              <th key={name} scope="col" className="col-num">
                {name}
              </th>
            ))}
            <th scope="col">Browser</th>
            <th scope="col">Release</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.replayId}>
              <th scope="row" className="perf-name">
                <Link to={paths.replay(org, project, row.replayId)} prefetch="none">
                  <UserText text={row.userName || 'Anonymous visitor'} />
                </Link>
                <span className="replay-url muted">
                  <UserText text={row.url === '' ? row.replayId.slice(0, 8) : row.url} />
                </span>
              </th>
              <td>
                <Ago atMs={row.startedMs} />
              </td>
              <td className="num col-num">{formatDuration(row.durationMs)}</td>
              <td className="num col-num">
                {row.errors === 0 ? <span className="muted">0</span> : formatExact(row.errors)}
              </td>
              <td className="num col-num">{formatExact(row.rageClicks)}</td>
              <td className="num col-num">{formatExact(row.deadClicks)}</td>
              <td className="num col-num">{formatExact(row.urls)}</td>
              <td className="num col-num">
                <meter
                  className="replay-activity"
                  min={0}
                  max={10}
                  value={row.activity}
                  aria-label={`Activity ${row.activity} of 10`}
                  title={`${row.activity} of 10`}
                />
              </td>
              <td>
                <UserText text={row.browser} />
              </td>
              <td>
                <UserText text={row.release} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Either nothing matches, or nothing is sent yet. */
function NoReplays({ isNarrowed, dsn }: { readonly isNarrowed: boolean; readonly dsn: string | undefined }) {
  if (isNarrowed)
    return (
      <EmptyState title="No matching replays">
        <p>Remove a filter or choose a longer time range.</p>
      </EmptyState>
    )
  return (
    <EmptyState title="No replays in the last 7 days" docs="replay">
      <p>Add the replay integration to a Sentry browser SDK. Texts and inputs are masked in the browser.</p>
      {dsn !== undefined && (
        <Snippet
          what="code for browsers"
          code={`Sentry.init({
  dsn: '${dsn}',
  integrations: [Sentry.replayIntegration()],
  replaysSessionSampleRate: 0.1,
  replaysOnErrorSampleRate: 1,
})`}
        />
      )}
    </EmptyState>
  )
}
