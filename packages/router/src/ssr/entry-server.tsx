/** Renders pages on the server. Bundled with the app, so that there is one React. */
import { renderToReadableStream } from 'react-dom/server'
import { OutermostBoundary } from '../client/failure-page.tsx'
import { type RouterRuntime, RuntimeContext } from '../client/hooks.ts'
import { requestedLocation } from '../client/location.ts'
import type { Shown } from '../client/navigator.ts'
import { NOT_FOUND_ID, type RouteModule } from '../client/route-modules.ts'
import { ShownPage } from '../client/routes.tsx'
import type { MatchedRoute, RenderArgs, ServerBuild, ServerModule } from '../server/build.ts'
import { createMatcher, idsOf, type RouteMatch, type RouteShape } from '../shared/match-routes.ts'
import { MODULES_GLOBAL, PAGE_GLOBAL } from '../shared/page-data.ts'

type ServerRoute = {
  readonly id: string
  /** Below Vite's root; missing on a route without a page. */
  readonly file?: string
  readonly module?: RouteModule
  readonly server?: ServerModule
}

/** The generated module of the server build. */
export type ServerRoutes = {
  readonly pages: readonly (RouteShape & ServerRoute)[]
  readonly layouts: readonly ServerRoute[]
  readonly notFound?: { readonly file: string; readonly module: RouteModule }
}

export function createServerBuild({ pages, layouts, notFound }: ServerRoutes): ServerBuild {
  const matchPath = createMatcher(pages)
  const byId = new Map<string, ServerRoute>([...layouts, ...pages].map((route) => [route.id, route]))
  if (notFound) byId.set(NOT_FOUND_ID, { id: NOT_FOUND_ID, ...notFound })
  const modules = { get: (id: string) => byId.get(id)?.module }
  return {
    match(pathname) {
      const matched = matchPath(pathname)
      const { template, params } = matched
      const ids = template === null ? [NOT_FOUND_ID] : idsOf(matched)
      return { template, params, chain: ids.flatMap((id) => byId.get(id) ?? []).map(toMatched) }
    },
    title({ template, data }) {
      return template === null ? undefined : modules.get(template)?.title?.(data[template])
    },
    render: (args) => render(args, matchPath, modules),
  }
}

function toMatched({ id, file, server }: ServerRoute): MatchedRoute {
  return { id, ...(file === undefined ? {} : { file }), ...(server ? { server } : {}) }
}

async function render(
  { page, url, host, nonce, entry, modules: urls, signal, onError }: RenderArgs,
  match: (pathname: string) => RouteMatch,
  modules: RouterRuntime['modules'],
): Promise<ReadableStream<Uint8Array>> {
  const location = requestedLocation(url)
  const shown: Shown = { location, match: match(location.pathname), page, scrollTo: 'nowhere' }
  const runtime: RouterRuntime = {
    modules,
    host,
    pending: { subscribe: () => () => {}, isLate: () => false },
    streamedDigest: () => undefined,
    newBuild: { subscribe: () => () => {}, get: () => false },
    prefetch: () => () => {},
    post: () => Promise.resolve('failed'),
    navigate: () => Promise.resolve(),
    revalidate: () => Promise.resolve(),
    onPartTakenOver: () => {},
  }
  return renderToReadableStream(
    <OutermostBoundary host={host}>
      <RuntimeContext value={runtime}>
        <ShownPage shown={shown} />
      </RuntimeContext>
    </OutermostBoundary>,
    {
      nonce,
      signal,
      onError,
      // What is rendered stands in its place: React would send a large part behind the page, for a script to move.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      bootstrapScriptContent: `self.${PAGE_GLOBAL}=${scriptJson(page)};self.${MODULES_GLOBAL}=${scriptJson(urls)}`,
      bootstrapModules: [entry],
    },
  )
}

/** JSON that cannot end the script element it stands in. */
function scriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}
