import * as Sentry from '@sentry/node'

const { SENTRY_DSN = '', SHOP_RELEASE } = process.env

Sentry.init({ dsn: SENTRY_DSN, ...(SHOP_RELEASE && { release: SHOP_RELEASE }) })
