import './shop.css'
import { captureException } from '@sonde/browser'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { startReporter } from './reporter.ts'
import { createRouter } from './router.tsx'

startReporter()
const router = createRouter()

createRoot(document.getElementById('root') as HTMLElement).render(
  // The router's own boundaries catch what loaders, chunks and components throw; this hears of it.
  <RouterProvider router={router} onError={(error) => captureException(error)} />,
)
