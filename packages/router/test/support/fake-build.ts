import type { RenderArgs, ServerBuild, ServerModule } from '../../src/server/build.ts'
import { createMatcher, idsOf } from '../../src/shared/match-routes.ts'
import { buildRouteTable } from '../../src/shared/route-table.ts'

export type FakeRoute = { readonly server?: ServerModule; readonly title?: (data: unknown) => string }

/**
 * A server build without React: the real route table, loads as given, and page data as its own
 * rendering, so that a test sees what would be rendered.
 */
export function fakeBuild(
  routes: Readonly<Record<string, FakeRoute>>,
  render: (args: RenderArgs) => string = ({ page }) => `[${JSON.stringify(page)}]`,
): ServerBuild {
  const table = buildRouteTable(Object.keys(routes))
  const matchPath = createMatcher(table.pages)
  const entries = [...table.layouts, ...table.pages]
  const routeOf = (file: string | undefined): FakeRoute | undefined =>
    file === undefined ? undefined : routes[file]
  return {
    match(pathname) {
      const matched = matchPath(pathname)
      const ids = idsOf(matched)
      const chain = ids.flatMap((id) => {
        const entry = entries.find((candidate) => candidate.id === id)
        if (!entry) return []
        const server = (routeOf(entry.file) ?? routeOf(entry.serverFile))?.server
        return [
          {
            id,
            ...(entry.file === undefined ? {} : { file: `routes/${entry.file}` }),
            ...(server ? { server } : {}),
          },
        ]
      })
      return {
        template: matched.template,
        params: matched.params,
        chain,
      }
    },
    title({ template, data }) {
      const page = table.pages.find((entry) => entry.id === template)
      return routeOf(page?.file)?.title?.(data[template ?? ''])
    },
    render(args) {
      try {
        const bytes = new TextEncoder().encode(render(args))
        return Promise.resolve(
          new ReadableStream<Uint8Array>({
            start(controller) {
              controller.enqueue(bytes)
              controller.close()
            },
          }),
        )
      } catch (error) {
        args.onError(error)
        return Promise.reject(error instanceof Error ? error : new Error(String(error)))
      }
    },
  }
}
