import '../../../../parts/performance/performance.css'
import './releases.css'
import { Form, Link, useLocation, useSearchParams } from '@sonde/router'
import { formatExact } from '../../../../format/format-count.ts'
import { OtherParams } from '../../../../shell/other-params.tsx'
import { usePaths } from '../../../../shell/use-paths.ts'
import type { UploadPlace } from '../../../../parts/upload-commands.ts'
import { NoReleaseMatches, NoReleases } from './no-releases.tsx'
import { Pages } from './release-pages.tsx'
import { PAGE_ROWS, readReleaseSearch, withReleaseParams } from './release-search.ts'
import { type ListedRelease, ReleaseTable } from './release-table.tsx'

type Props = Omit<Parameters<typeof ReleaseTable>[0], 'rows'> & {
  readonly rows: readonly ListedRelease[]
  readonly total: number
  readonly archived: number
  readonly hasAny: boolean
  readonly place: UploadPlace
}

/** Which versions run, how far each has got, and what it did. */
export function ReleaseListScreen({ org, project, rows, total, archived, hasAny, place, ...used }: Props) {
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
          aria-label="Search by version"
          placeholder="Part of a version"
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
          {withArchived ? 'Hide archived ones' : `Show ${formatExact(archived)} archived`}
        </Link>
      )}
      <Link className="button" to={kept.compareReleases(org, project)} prefetch="intent">
        Compare two
      </Link>
    </div>
  )
}
