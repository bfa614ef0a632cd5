import { Link, useLocation, useSearchParams } from '@sonde/router'
import { paths } from '../../../../paths.ts'
import { BUNDLERS, type UploadPlace } from '../../../../parts/upload-commands.ts'
import { EmptyState } from '../../../../ui/empty-state.tsx'
import { Snippet } from '../../../../ui/snippet.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import { newRelease } from './release-commands.ts'
import { withReleaseParams } from './release-search.ts'

/** Where a release comes from: the code that names it, the build that makes it, or a plugin that does both. */
export function NoReleases({ place }: { readonly place: UploadPlace }) {
  const vite = BUNDLERS.find(({ id }) => id === 'vite')
  return (
    <EmptyState title="No releases yet">
      <p>
        A release is a version of what runs: who uses it, which errors it brought, what changed in it. The
        first event that names one makes it:
      </p>
      <Snippet what="code that names the release" code={`init({ dsn, release: 'shop@1.0.0' })`} />
      <p>A build can make it too, with the commits in it:</p>
      <Snippet what="commands that make a release" code={newRelease(place)} />
      {vite && (
        <>
          <p>With {vite.name}, the plugin names and makes it and uploads the source maps:</p>
          <Snippet what="settings of the plugin" code={vite.code(place)} />
        </>
      )}
      <p>
        The token that builds need is made in <Link to={paths.account()}>your account</Link>.
      </p>
    </EmptyState>
  )
}

export function NoReleaseMatches({ query, archived }: { readonly query: string; readonly archived: number }) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  return (
    <EmptyState title="No release matches">
      {query !== '' && (
        <p>
          Looked for <UserText className="query-shown" text={query} /> in their versions.
        </p>
      )}
      <ul className="ways-on">
        {archived > 0 && (
          <li>
            <Link to={pathname + withReleaseParams(params, { archived: '1' })}>
              Look among archived ones too
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
