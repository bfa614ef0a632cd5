import { sondeRouter } from '@sonde/router/vite'
import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig } from 'vite'

export default defineConfig({
  root: import.meta.dirname,
  // The published packages of this repository, from their sources.
  resolve: { conditions: ['@sonde/source', ...defaultClientConditions] },
  plugins: [
    react(),
    sondeRouter({
      routesDir: 'src/routes',
      clientSetup: 'src/reporter/start.ts',
      // Development runs them from Node, so that a class or a cache exists once in the process.
      devExternal: ['access', 'base', 'commands', 'queries', 'protocol', 'stores'].map(
        (name) => `@sonde/${name}`,
      ),
    }),
  ],
})
