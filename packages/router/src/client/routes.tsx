/** The route tree with what react-router renders for each node. The same on both sides. */
import { Outlet, type RouteObject } from 'react-router'
import { type RouteNode, type RouteShape, toRouteTree } from '../shared/route-objects.ts'
import { RouteFailure } from './failure-page.tsx'
import { RootShell } from './root-shell.tsx'
import { useRuntime } from './runtime.ts'

export function createRoutes(shape: RouteShape): RouteObject[] {
  return [toRouteObject(toRouteTree(shape))]
}

function toRouteObject(node: RouteNode): RouteObject {
  return {
    id: node.id,
    // Data comes from the data strategy; react-router only runs it for routes that say they load.
    loader: true,
    shouldRevalidate: () => true,
    element: elementOf(node),
    ...(node.kind === 'boundary' ? { errorElement: <RouteFailure /> } : {}),
    ...(node.path === undefined ? {} : { path: node.path }),
    ...(node.children ? { children: node.children.map(toRouteObject) } : {}),
  }
}

function elementOf({ id, kind }: RouteNode) {
  switch (kind) {
    case 'root':
      return <RootShell />
    case 'boundary':
      return <Outlet />
    case 'layout':
      return <LayoutSlot id={id} />
    case 'page':
      return <PageSlot id={id} />
    default:
      return null
  }
}

function PageSlot({ id }: { readonly id: string }) {
  const Page = useRuntime().modules.get(id)?.default
  return Page ? <Page /> : null
}

function LayoutSlot({ id }: { readonly id: string }) {
  const Layout = useRuntime().modules.get(id)?.default
  return Layout ? (
    <Layout>
      <Outlet />
    </Layout>
  ) : (
    <Outlet />
  )
}
