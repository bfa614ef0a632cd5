/** The routes, each in a chunk of its own, with loaders that ask the API. */
import { createBrowserRouter } from 'react-router'
import { Layout } from './routes/layout.tsx'
import { Failed } from './routes/failed.tsx'

export const chunks = {
  list: () => import('./routes/list.tsx'),
  product: () => import('./routes/product.tsx'),
  cart: () => import('./routes/cart.tsx'),
  checkout: () => import('./routes/checkout.tsx'),
  account: () => import('./routes/account.tsx'),
  invoices: () => import('./routes/invoices.tsx'),
} as const

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
            { path: 'cart', lazy: chunks.cart },
            { path: 'checkout', lazy: chunks.checkout },
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
