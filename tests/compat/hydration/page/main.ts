/** A page that React hydrates, with nothing but Sentry's SDK; what React recovered from goes to it, or where React sends it. */
import * as Sentry from '@sentry/browser'
import { createElement } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { App } from './app.ts'

declare global {
  interface Window {
    flush(): Promise<boolean>
  }
}

const params = new URLSearchParams(location.search)
Sentry.init({ dsn: params.get('dsn') ?? '', release: 'shop@2.0.0', environment: 'compat-hydration' })

const app = createElement(App, { side: 'browser', path: location.pathname })
hydrateRoot(
  document.getElementById('root')!,
  app,
  params.has('plain')
    ? {}
    : {
        onRecoverableError: (error, { componentStack }) =>
          void Sentry.captureException(error, { contexts: { react: { componentStack } } }),
      },
)

window.flush = () => Sentry.flush(20_000)
