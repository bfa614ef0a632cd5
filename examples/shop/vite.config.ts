import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const { RELEASE = 'shop@1.5.0', OUT_DIR = 'dist', SENTRY_AUTH_TOKEN } = process.env

export default defineConfig(({ isSsrBuild = false }) => ({
  root: import.meta.dirname,
  plugins: [react(), SENTRY_AUTH_TOKEN ? uploadOfMaps(isSsrBuild) : undefined],
  define: { SHOP_RELEASE: JSON.stringify(RELEASE) },
  // In this repository: the packages from their sources. Outside of it nothing of the kind is needed.
  resolve: { conditions: ['@sonde/source', 'module', 'browser', 'development|production'] },
  build: {
    outDir: OUT_DIR,
    emptyOutDir: true,
    rolldownOptions: {
      input: ['index.html', 'opening.html'].map((name) => join(import.meta.dirname, name)),
      // Some bytes more, and components are called in reports as they are in the source.
      output: { keepNames: true },
    },
    // A folder per release: a deploy that removes the old one leaves open tabs without their chunks, as real ones do.
    assetsDir: `assets/${RELEASE.replace(/^.*@/, '')}`,
    // Made, and named in no script: nobody is invited to read them.
    sourcemap: 'hidden',
  },
}))

/**
 * The stock plugin: it reads SENTRY_URL, SENTRY_ORG, SENTRY_PROJECT and SENTRY_AUTH_TOKEN, and puts debug ids into the
 * scripts. See docs/operate/source-maps.md.
 */
async function uploadOfMaps(isSsrBuild: boolean) {
  const { sentryVitePlugin } = await import('@sentry/vite-plugin')
  return sentryVitePlugin({
    telemetry: false,
    release: { name: RELEASE },
    // Elements say which component and file they come from: web vitals are told with them.
    reactComponentAnnotation: { enabled: true },
    // What renders on the server is read where it runs.
    sourcemaps: { disable: isSsrBuild, filesToDeleteAfterUpload: `${OUT_DIR}/**/*.map` },
  })
}
