import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const { RELEASE = 'shop@1.5.0', OUT_DIR = 'dist', SENTRY_AUTH_TOKEN } = process.env

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), SENTRY_AUTH_TOKEN ? uploadOfMaps() : undefined],
  define: { SHOP_RELEASE: JSON.stringify(RELEASE) },
  // In this repository: the packages from their sources. Outside of it nothing of the kind is needed.
  resolve: { conditions: ['@sonde/source', 'module', 'browser', 'development|production'] },
  build: {
    outDir: OUT_DIR,
    emptyOutDir: true,
    // A folder per release: a deploy that removes the old one leaves open tabs without their chunks, as real ones do.
    assetsDir: `assets/${RELEASE.replace(/^.*@/, '')}`,
    // Made, and named in no script: nobody is invited to read them.
    sourcemap: 'hidden',
  },
})

/**
 * The stock plugin: it reads SENTRY_URL, SENTRY_ORG, SENTRY_PROJECT and SENTRY_AUTH_TOKEN, and puts debug ids into the
 * scripts. See docs/operate/source-maps.md.
 */
async function uploadOfMaps() {
  const { sentryVitePlugin } = await import('@sentry/vite-plugin')
  return sentryVitePlugin({
    telemetry: false,
    release: { name: RELEASE },
    sourcemaps: { filesToDeleteAfterUpload: `${OUT_DIR}/**/*.map` },
  })
}
