import { withSentryConfig } from '@sentry/nextjs/config'

const { NEXT_DIST = '.next', SHOP_RELEASE } = process.env

export default withSentryConfig(
  { distDir: NEXT_DIST, poweredByHeader: false, turbopack: { root: import.meta.dirname + '/../..' } },
  {
    telemetry: false,
    silent: false,
    ...(SHOP_RELEASE && { release: { name: SHOP_RELEASE } }),
  },
)
