import adapter from '@sveltejs/adapter-node'
import { sveltekit } from '@sveltejs/kit/vite'
import { defineConfig, defaultClientConditions, defaultServerConditions } from 'vite'

/** As a workspace sees the reporter: its sources. */
const SOURCE = '@sonde/source'

export default defineConfig({
  plugins: [sveltekit({ adapter: adapter() })],
  resolve: { conditions: [SOURCE, ...defaultClientConditions] },
  ssr: { noExternal: [/^@sonde\//], resolve: { conditions: [SOURCE, ...defaultServerConditions] } },
})
