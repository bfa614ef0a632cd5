import * as Sentry from '@sentry/nextjs'

export function register(): void {
  Sentry.init({ dsn: process.env.NEXT_PUBLIC_SENTRY_DSN ?? '', tracesSampleRate: 1 })
}

export const onRequestError = Sentry.captureRequestError
