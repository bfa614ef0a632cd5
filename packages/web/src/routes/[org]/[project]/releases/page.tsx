import '../../../../parts/performance/performance.css'
import './releases.css'
import { Form, Link, useLocation, usePageData, useParams, useSearchParams } from '@sonde/router'
import { formatExact } from '../../../../format/format-count.ts'
import { BUNDLERS, type UploadPlace } from '../../../../parts/upload-commands.ts'
import { paths } from '../../../../paths.ts'
import { OtherParams } from '../../../../shell/range-form.tsx'
import { usePaths } from '../../../../shell/use-paths.ts'
import { Snippet } from '../../../../ui/copy-button.tsx'
import { EmptyState } from '../../../../ui/section.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import type { load } from './page.server.ts'
import { newRelease } from './release-commands.ts'
import { Pages } from './release-pages.tsx'
import { PAGE_ROWS, readReleaseSearch, withReleaseParams } from './release-search.ts'
import { type ListedRelease, ReleaseTable } from './release-table.tsx'

export const title = (): string => 'Releases · Sonde'

export default function Releases() {
  const data = usePageData<typeof load>()
  const { org, project } = useParams<'org' | 'project'>()
  return <ReleaseListScreen org={org} project={project} {...data} />
}

type Props = Omit<Parameters<typeof ReleaseTable>[0], 'rows'> & {
  readonly rows: readonly ListedRelease[]
  readonly total: number
  readonly archived: number
  readonly hasAny: boolean
  readonly place: UploadPlace
}

/** The list of releases with adoption, issues and usage. */
function ReleaseListScreen({ org, project, rows, total, archived, hasAny, place, ...used }: Props) {
  const [params] = useSearchParams()
  const { query, page } = readReleaseSearch(params)
  return (
    <div className="page page-wide">
      <h1 className="sr-only">Releases of {project}</h1>
      {hasAny ? (
        <>
          <ListBar org={org} project={project} archived={archived} />
          {rows.length === 0 ? (
            <NoReleaseMatches query={query} archived={archived} />
          ) : (
            <>
              <ReleaseTable org={org} project={project} rows={rows} {...used} />
              <Pages
                page={page}
                shown={rows.length}
                total={total}
                rows={PAGE_ROWS}
                noun={['release', 'releases']}
                param="page"
              />
            </>
          )}
        </>
      ) : (
        <NoReleases place={place} />
      )}
    </div>
  )
}

function ListBar({ org, project, archived }: Pick<Props, 'org' | 'project' | 'archived'>) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  const kept = usePaths()
  const { query, withArchived } = readReleaseSearch(params)
  return (
    <div className="release-bar">
      <Form method="get" action={pathname} role="search" className="release-search" key={query}>
        <OtherParams params={params} without={['query', 'page']} />
        <input
          className="input"
          type="search"
          name="query"
          aria-label="Filter by version"
          placeholder="Filter by version"
          defaultValue={query}
          maxLength={200}
          autoComplete="off"
          spellCheck={false}
          dir="auto"
        />
        <button type="submit" className="button">
          Search
        </button>
      </Form>
      {(archived > 0 || withArchived) && (
        <Link
          to={pathname + withReleaseParams(params, { archived: withArchived ? undefined : '1' })}
          prefetch="none"
        >
          {withArchived ? 'Hide archived' : `Show ${formatExact(archived)} archived`}
        </Link>
      )}
      <Link className="button" to={kept.compareReleases(org, project)} prefetch="intent">
        Compare releases
      </Link>
    </div>
  )
}

/** How to create releases: in the SDK, in CI, or with a plugin. */
function NoReleases({ place }: { readonly place: UploadPlace }) {
  const vite = BUNDLERS.find(({ id }) => id === 'vite')
  return (
    <EmptyState title="No releases yet" docs="operate/release-health">
      <p>Releases show adoption, new errors and commits per version. Set the release in your SDK:</p>
      <Snippet what="code that names the release" code={`init({ dsn, release: 'shop@1.0.0' })`} />
      <p>Or create it in CI, with its commits:</p>
      <Snippet what="commands that create a release" code={newRelease(place)} />
      {vite && (
        <>
          <p>With {vite.name}, the plugin creates the release and uploads source maps:</p>
          <Snippet what="settings of the plugin" code={vite.code(place)} />
        </>
      )}
      <p>
        Create a build token in <Link to={paths.account()}>your account</Link>.
      </p>
    </EmptyState>
  )
}

function NoReleaseMatches({ query, archived }: { readonly query: string; readonly archived: number }) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  return (
    <EmptyState title="No matching releases">
      {query !== '' && (
        <p>
          No version matches <UserText className="query-shown" text={query} />
        </p>
      )}
      <ul className="ways-on">
        {archived > 0 && (
          <li>
            <Link to={pathname + withReleaseParams(params, { archived: '1' })}>
              Include archived releases
            </Link>
          </li>
        )}
        <li>
          <Link to={pathname + withReleaseParams(params, { query: undefined })}>Show all releases</Link>
        </li>
      </ul>
    </EmptyState>
  )
}
