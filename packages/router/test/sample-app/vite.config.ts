import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { sondeRouter } from '@sonde/router/vite'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), sondeRouter({ routesDir: 'routes', clientSetup: 'client-setup.ts' })],
})
