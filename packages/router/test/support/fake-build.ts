import { matchRoutes, type RouteObject } from 'react-router'
import type { RenderArgs, ServerBuild, ServerModule } from '../../src/server/build.ts'
import { toRouteTree, templateOf } from '../../src/shared/route-objects.ts'
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
  const tree = [toRouteTree(table)] as RouteObject[]
  const entries = [...table.layouts, ...table.pages]
  const routeOf = (file: string | undefined): FakeRoute | undefined =>
    file === undefined ? undefined : routes[file]
  return {
    match(pathname) {
      const matches = matchRoutes(tree, pathname) ?? []
      const ids = matches.flatMap(({ route }) => route.id ?? [])
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
        template: templateOf(ids),
        params: { ...matches.at(-1)?.params } as Record<string, string>,
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
