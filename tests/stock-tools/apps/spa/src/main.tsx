// As Sentry's documentation for React Router 7 has it; nothing of Sonde but the DSN.
import * as Sentry from '@sentry/react'
import { useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import {
  createBrowserRouter,
  createRoutesFromChildren,
  matchRoutes,
  useLocation,
  useNavigationType,
} from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { Broken, Cart, Home, loadOrder, Order, Shell } from './pages.tsx'

declare const SHOP: { dsn: string; release: string | undefined }

Sentry.init({
  dsn: SHOP.dsn,
  ...(SHOP.release && { release: SHOP.release }),
  integrations: [
    Sentry.reactRouterV7BrowserTracingIntegration({
      useEffect,
      useLocation,
      useNavigationType,
      createRoutesFromChildren,
      matchRoutes,
    }),
  ],
  tracesSampleRate: 1,
})

const router = Sentry.wrapCreateBrowserRouterV7(createBrowserRouter)([
  {
    element: <Shell />,
    errorElement: <Broken />,
    children: [
      { path: '/', element: <Home /> },
      { path: '/cart', element: <Cart /> },
      { path: '/orders/:orderId', element: <Order />, loader: loadOrder, errorElement: <Broken /> },
    ],
  },
])

const root = document.getElementById('root')
if (root) createRoot(root).render(<RouterProvider router={router} />)
