import { withSentryConfig } from '@sentry/nextjs/config'

const { SHOP_RELEASE } = process.env

export default withSentryConfig(
  {
    // Where node_modules stands.
    turbopack: { root: import.meta.dirname + '/../..' },
    // For the next build of the same folder; there is none.
    experimental: { turbopackFileSystemCacheForBuild: false },
  },
  {
    telemetry: false,
    ...(SHOP_RELEASE && { release: { name: SHOP_RELEASE } }),
  },
)
