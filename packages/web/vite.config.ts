import { sondeRouter } from '@sonde/router/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    react(),
    sondeRouter({
      routesDir: 'src/routes',
      // Development runs them from Node, so that a class or a cache exists once in the process.
      devExternal: ['access', 'base', 'commands', 'queries', 'protocol', 'stores'].map(
        (name) => `@sonde/${name}`,
      ),
    }),
  ],
})
