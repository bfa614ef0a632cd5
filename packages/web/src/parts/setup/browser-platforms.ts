/** Snippets of what runs in browsers, and of the frameworks that render for them. */
import { REACT_REPORTER, SCRIPT_TAG, VANILLA_REPORTER } from './own-reporter.ts'
import type { Platform } from './platform.ts'

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
