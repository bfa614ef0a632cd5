import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const RELEASE = process.env['RELEASE'] ?? 'shop@1.5.0'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  define: { SHOP_RELEASE: JSON.stringify(RELEASE) },
  // In this repository: the packages from their sources. Outside of it nothing of the kind is needed.
  resolve: { conditions: ['@sonde/source', 'module', 'browser', 'development|production'] },
  build: {
    // A folder per release: a deploy that removes the old one leaves open tabs without their chunks, as real ones do.
    assetsDir: `assets/${RELEASE.replace(/^.*@/, '')}`,
    sourcemap: true,
  },
})
