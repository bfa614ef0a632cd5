import './shop.css'
import { reactErrorHandlers } from '@sonde/react'
import { reactRouter } from '@sonde/react/react-router'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { startReporter } from './reporter.ts'
import { createRouter } from './router.tsx'

startReporter()
const router = createRouter()
// Names navigations by their route, and hears what loaders and chunks throw into the router.
reactRouter(router)

// What components throw: with the components in which it happened.
createRoot(document.getElementById('root') as HTMLElement, reactErrorHandlers()).render(
  <RouterProvider router={router} />,
)
