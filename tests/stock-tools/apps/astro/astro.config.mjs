import { defineConfig } from 'astro/config'
import { defaultClientConditions, defaultServerConditions } from 'vite'

/** As a workspace sees the reporter: its sources. */
const SOURCE = '@sonde/source'

export default defineConfig({
  devToolbar: { enabled: false },
  vite: {
    resolve: { conditions: [SOURCE, ...defaultClientConditions] },
    ssr: { noExternal: [/^@sonde\//], resolve: { conditions: [SOURCE, ...defaultServerConditions] } },
  },
})
