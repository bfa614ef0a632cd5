/** The routes, each in a chunk of its own, with loaders that ask the API. */
import { activeNavigations } from '@sonde/browser'
import { createBrowserRouter } from 'react-router'
import { Failed } from './routes/failed.tsx'
import { Layout } from './routes/layout.tsx'

export const chunks = {
  list: () => import('./routes/list.tsx'),
  product: () => import('./routes/product.tsx'),
  cart: () => import('./routes/cart.tsx'),
  checkout: () => import('./routes/checkout.tsx'),
  account: () => import('./routes/account.tsx'),
  invoices: () => import('./routes/invoices.tsx'),
} as const

/**
 * Code that is gone belongs to a release before: the browser loads the page of the present one, and the reporter is told
 * why. Only the way to the till does so; the other routes show what a site without this looks like.
 */
const orFullLoad =
  <Route,>(load: () => Promise<Route>) =>
  async (): Promise<Route> =>
    load().catch(() => {
      const navigations = activeNavigations()
      const target = navigations?.current()?.facts.to ?? location.pathname
      navigations?.end('full_load', 'chunk')
      location.assign(target)
      return new Promise<Route>(() => {})
    })

export function createRouter() {
  return createBrowserRouter([
    {
      path: '/',
      Component: Layout,
      HydrateFallback: () => <p className="starting">Grinding…</p>,
      children: [
        {
          // Inside the layout: navigation stays usable when a page fails.
          ErrorBoundary: Failed,
          children: [
            { index: true, lazy: chunks.list },
            { path: 'c/:category', lazy: chunks.list },
            { path: 'products/:product', lazy: chunks.product },
            { path: 'cart', lazy: orFullLoad(chunks.cart) },
            { path: 'checkout', lazy: orFullLoad(chunks.checkout) },
            { path: 'account', lazy: chunks.account },
            { path: 'account/invoices', lazy: chunks.invoices },
            {
              path: '*',
              loader: () => {
                throw new Response('Not found', { status: 404 })
              },
            },
          ],
        },
      ],
    },
  ])
}
