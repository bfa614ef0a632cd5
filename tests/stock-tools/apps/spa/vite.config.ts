import { sentryVitePlugin } from '@sentry/vite-plugin'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const { OUT_DIR = 'dist', SENTRY_DSN = '', SHOP_RELEASE } = process.env

export default defineConfig({
  root: import.meta.dirname,
  build: { outDir: OUT_DIR, emptyOutDir: true, sourcemap: 'hidden' },
  define: { SHOP: JSON.stringify({ dsn: SENTRY_DSN, release: SHOP_RELEASE }) },
  plugins: [
    react(),
    sentryVitePlugin({
      telemetry: false,
      sourcemaps: { filesToDeleteAfterUpload: `${OUT_DIR}/**/*.map` },
      ...(SHOP_RELEASE && { release: { name: SHOP_RELEASE } }),
    }),
  ],
})
