import { sentryEsbuildPlugin } from '@sentry/esbuild-plugin'
import { build } from 'esbuild'

const { OUT_DIR = 'dist', SENTRY_DSN = '', SHOP_RELEASE } = process.env

await build({
  absWorkingDir: import.meta.dirname,
  entryPoints: ['src/main.tsx'],
  outdir: OUT_DIR,
  bundle: true,
  minify: true,
  sourcemap: 'external',
  jsx: 'automatic',
  define: {
    SHOP: JSON.stringify({ dsn: SENTRY_DSN, release: SHOP_RELEASE }),
    'process.env.NODE_ENV': '"production"',
  },
  plugins: [
    sentryEsbuildPlugin({
      telemetry: false,
      sourcemaps: { filesToDeleteAfterUpload: `${OUT_DIR}/**/*.map` },
      ...(SHOP_RELEASE && { release: { name: SHOP_RELEASE } }),
    }),
  ],
})
