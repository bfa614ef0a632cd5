/** Renders pages on the server. Bundled with the app, so that there is one React. */
import { renderToReadableStream } from 'react-dom/server'
import {
  createStaticHandler,
  createStaticRouter,
  matchRoutes,
  type StaticHandler,
  StaticRouterProvider,
} from 'react-router'
import { OutermostBoundary } from '../client/failure-page.tsx'
import { type RouterRuntime, RuntimeContext } from '../client/hooks.ts'
import { NOT_FOUND_ID, type RouteModule } from '../client/route-modules.ts'
import { createRoutes } from '../client/routes.tsx'
import type { Match, MatchedRoute, RenderArgs, ServerBuild, ServerModule } from '../server/build.ts'
import { PAGE_GLOBAL, resultsOf } from '../shared/page-data.ts'
import { type RouteShape, templateOf } from '../shared/route-objects.ts'

type ServerRoute = {
  readonly id: string
  /** Below Vite's root; missing on a route without a page. */
  readonly file?: string
  readonly module?: RouteModule
  readonly server?: ServerModule
}

/** The generated module of the server build. */
export type ServerRoutes = {
  readonly pages: readonly (RouteShape['pages'][number] & ServerRoute)[]
  readonly layouts: readonly ServerRoute[]
  readonly notFound?: { readonly file: string; readonly module: RouteModule }
}

export function createServerBuild({ pages, layouts, notFound }: ServerRoutes): ServerBuild {
  const routes = createRoutes({ pages, layouts })
  const handler = createStaticHandler(routes)
  const byId = new Map<string, ServerRoute>([...layouts, ...pages].map((route) => [route.id, route]))
  if (notFound) byId.set(NOT_FOUND_ID, { id: NOT_FOUND_ID, ...notFound })
  const modules = { get: (id: string) => byId.get(id)?.module }

  function match(pathname: string): Match {
    const matches = matchRoutes(routes, pathname) ?? []
    const ids = matches.flatMap(({ route }) => route.id ?? [])
    const template = templateOf(ids)
    const chain = (template === null ? [NOT_FOUND_ID] : ids).flatMap((id) => byId.get(id) ?? [])
    return {
      template,
      params: Object.freeze({ ...matches.at(-1)?.params } as Record<string, string>),
      chain: chain.map(toMatched),
    }
  }
  return {
    match: remembered(match),
    title({ template, data }) {
      return template === null ? undefined : modules.get(template)?.title?.(data[template])
    },
    render: (args) => render(args, handler, modules),
  }
}

// `matchRoutes` ranks all routes again for each path, which took an eighth of what a short answer takes; people and the
// browser ask for the same few paths again. Anyone may send any path: no more, and no longer ones, are kept.
const MAX_REMEMBERED = 500
const MAX_REMEMBERED_LENGTH = 200

function remembered(match: (pathname: string) => Match): (pathname: string) => Match {
  const known = new Map<string, Match>()
  return (pathname) => {
    const found = known.get(pathname) ?? match(pathname)
    if (pathname.length > MAX_REMEMBERED_LENGTH) return found
    // The one that was asked for last is the last to go.
    known.delete(pathname)
    known.set(pathname, found)
    const [oldest] = known.keys()
    if (known.size > MAX_REMEMBERED && oldest !== undefined) known.delete(oldest)
    return found
  }
}

function toMatched({ id, file, server }: ServerRoute): MatchedRoute {
  return { id, ...(file === undefined ? {} : { file }), ...(server ? { server } : {}) }
}

async function render(
  { page, url, host, nonce, entry, signal, onError }: RenderArgs,
  handler: StaticHandler,
  modules: RouterRuntime['modules'],
): Promise<ReadableStream<Uint8Array>> {
  const context = await handler.query(new Request(`http://localhost${url}`), {
    dataStrategy: ({ matches }) =>
      Promise.resolve(
        resultsOf(
          page,
          matches.map((match) => match.route.id),
        ),
      ),
  })
  if (context instanceof Response) throw new Error('rendering was answered with a redirect')
  const runtime: RouterRuntime = {
    modules,
    host,
    pending: { subscribe: () => () => {}, isLate: () => false },
    streamedDigest: () => undefined,
    newBuild: { subscribe: () => () => {}, get: () => false },
    prefetch: () => () => {},
    post: () => Promise.resolve('failed'),
  }
  return renderToReadableStream(
    <OutermostBoundary host={host}>
      <RuntimeContext value={runtime}>
        <StaticRouterProvider
          router={createStaticRouter(handler.dataRoutes, context)}
          context={context}
          hydrate={false}
        />
      </RuntimeContext>
    </OutermostBoundary>,
    {
      nonce,
      signal,
      onError,
      bootstrapScriptContent: `self.${PAGE_GLOBAL}=${scriptJson(page)}`,
      bootstrapModules: [entry],
    },
  )
}

/** JSON that cannot end the script element it stands in. */
function scriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}
