import { sentryEsbuildPlugin } from '@sentry/esbuild-plugin'
import { build } from 'esbuild'

const { SHOP_RELEASE } = process.env

await build({
  absWorkingDir: import.meta.dirname,
  entryPoints: ['src/server.ts'],
  outdir: 'dist',
  bundle: true,
  minify: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
  sourcemap: 'external',
  plugins: [
    sentryEsbuildPlugin({
      telemetry: false,
      ...(SHOP_RELEASE && { release: { name: SHOP_RELEASE } }),
    }),
  ],
})
