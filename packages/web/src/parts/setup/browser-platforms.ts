/** Snippets of what runs in browsers, and of the frameworks that render for them. */

/** Snippets of Sonde's own reporter: errors, vitals, traces and navigations of pages. */
const FEATURES = `[
    offlineQueue(), breadcrumbs(), tracing(), vitals(), navigations(), chunkFailures(), pageDataFailures(),
    prefetches(), tabs(),
  ]`

const SCRIPT_TAG: Way = {
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

const VANILLA_REPORTER: Way = {
  id: 'own',
  name: 'Sonde SDK (npm)',
  hint: 'Tree-shakeable: only the features you import are bundled.',
  install: 'npm install @sonde/browser',
  setup: (dsn) => `import {
  breadcrumbs, chunkFailures, init, navigations, offlineQueue, pageDataFailures, prefetches, tabs,
  tracing, vitals,
} from '@sonde/browser'

init({
  dsn: '${dsn}',
  tracesSampleRate: 1,
  features: ${FEATURES},
})`,
}

const REACT_REPORTER: Way = {
  id: 'own',
  name: 'Sonde SDK (npm)',
  hint: 'Adapters for react-router, TanStack Router and Next.js name navigations by their route.',
  install: 'npm install @sonde/browser @sonde/react',
  setup: (dsn) => `import {
  breadcrumbs, chunkFailures, init, navigations, offlineQueue, pageDataFailures, prefetches, tabs,
  tracing, vitals,
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

const THROW = `setTimeout(() => {
  throw new Error('First error for Sonde')
})`

export const BROWSER_PLATFORMS: readonly Platform[] = [
  {
    id: 'javascript',
    name: 'JavaScript',
    own: [SCRIPT_TAG, VANILLA_REPORTER],
    install: 'npm install @sentry/browser',
    setup: (dsn) => `import * as Sentry from '@sentry/browser'

Sentry.init({
  dsn: '${dsn}',
})`,
    test: THROW,
  },
  {
    id: 'javascript-react',
    name: 'React',
    own: [REACT_REPORTER, SCRIPT_TAG],
    install: 'npm install @sentry/react',
    setup: (dsn) => `import * as Sentry from '@sentry/react'
import { createRoot } from 'react-dom/client'

Sentry.init({
  dsn: '${dsn}',
})

createRoot(document.getElementById('root'), {
  onUncaughtError: Sentry.reactErrorHandler(),
  onCaughtError: Sentry.reactErrorHandler(),
  onRecoverableError: Sentry.reactErrorHandler(),
}).render(<App />)`,
    test: `<button onClick={() => { throw new Error('First error for Sonde') }}>
  Break it
</button>`,
  },
  {
    id: 'javascript-nextjs',
    name: 'Next.js',
    install: 'npm install @sentry/nextjs',
    setup: (
      dsn,
    ) => `// instrumentation-client.ts, and the same in sentry.server.config.ts and sentry.edge.config.ts.
// The tunnelRoute option leaves self-hosted DSNs alone: none is needed here.
import * as Sentry from '@sentry/nextjs'

Sentry.init({
  dsn: '${dsn}',
})`,
    test: `'use client'

export default function Page() {
  return <button onClick={() => { throw new Error('First error for Sonde') }}>Break it</button>
}`,
  },
  {
    id: 'javascript-vue',
    name: 'Vue',
    install: 'npm install @sentry/vue',
    setup: (dsn) => `import * as Sentry from '@sentry/vue'
import { createApp } from 'vue'

const app = createApp(App)
Sentry.init({
  app,
  dsn: '${dsn}',
})
app.mount('#app')`,
    test: THROW,
  },
  {
    id: 'javascript-svelte',
    name: 'Svelte',
    install: 'npm install @sentry/svelte',
    setup: (dsn) => `// main.js, before the app is mounted
import * as Sentry from '@sentry/svelte'

Sentry.init({
  dsn: '${dsn}',
})`,
    test: THROW,
  },
]

/** One of several ways to send from a platform. */
type Way = {
  readonly id: string
  readonly name: string
  readonly install?: string
  readonly setup: (dsn: string) => string
  /** What to know before choosing it. */
  readonly hint: string
}

/** What to paste into an application so that its errors arrive. SDKs are the unmodified ones from their registries. */
export type Platform = {
  /** As stored with a project and as SDKs say it. */
  readonly id: string
  readonly name: string
  readonly install: string
  readonly setup: (dsn: string) => string
  /** Sonde's own reporter, where there is one, beside the SDK. */
  readonly own?: readonly Way[]
  /** Raises an error on purpose. */
  readonly test: string
}
