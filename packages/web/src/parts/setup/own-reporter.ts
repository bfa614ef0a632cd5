/** Snippets of Sonde's own reporter: errors, vitals, traces and navigations of pages. */
import type { Way } from './platform.ts'

const FEATURES = `[
    offlineQueue(), breadcrumbs(), tracing(), vitals(), navigations(), chunkFailures(), pageDataFailures(),
  ]`

export const SCRIPT_TAG: Way = {
  id: 'tag',
  name: 'Sonde SDK (script tag)',
  hint: 'Place it before all other scripts. Add data-tunnel="/monitoring" and @sonde/tunnel on your server to avoid ad blockers.',
  setup: (dsn) => `<script
  src="${originOf(dsn)}/sonde.js"
  crossorigin="anonymous"
  data-dsn="${dsn}"
  data-release="my-app@1.0.0"
  data-environment="production"
></script>`,
}

export const VANILLA_REPORTER: Way = {
  id: 'own',
  name: 'Sonde SDK (npm)',
  hint: 'Tree-shakeable: only the features you import are bundled.',
  install: 'npm install @sonde/browser',
  setup: (dsn) => `import {
  breadcrumbs, chunkFailures, init, navigations, offlineQueue, pageDataFailures, tracing, vitals,
} from '@sonde/browser'

init({
  dsn: '${dsn}',
  tracesSampleRate: 1,
  features: ${FEATURES},
})`,
}

export const REACT_REPORTER: Way = {
  id: 'own',
  name: 'Sonde SDK (npm)',
  hint: 'Adapters for react-router, TanStack Router and Next.js name navigations by their route.',
  install: 'npm install @sonde/browser @sonde/react',
  setup: (dsn) => `import {
  breadcrumbs, chunkFailures, init, navigations, offlineQueue, pageDataFailures, tracing, vitals,
} from '@sonde/browser'
import { reactErrorHandlers } from '@sonde/react'
import { reactRouter } from '@sonde/react/react-router'

init({
  dsn: '${dsn}',
  tracesSampleRate: 1,
  features: ${FEATURES},
})
reactRouter(router) // of createBrowserRouter

createRoot(document.getElementById('root'), reactErrorHandlers())
  .render(<RouterProvider router={router} />)`,
}

/** Where the DSN points is where the script lies, also below a path. */
export function originOf(dsn: string): string {
  const url = new URL(dsn)
  return url.origin + url.pathname.replace(/\/\d+\/?$/, '')
}
