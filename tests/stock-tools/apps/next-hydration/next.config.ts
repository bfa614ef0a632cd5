import type { NextConfig } from 'next'

export default {
  // Where node_modules stands.
  turbopack: { root: import.meta.dirname + '/../..' },
  // The reporter is bundled beside it, without its types.
  typescript: { ignoreBuildErrors: true },
  // For the next build of the same folder; there is none.
  experimental: { turbopackFileSystemCacheForBuild: false },
} satisfies NextConfig
