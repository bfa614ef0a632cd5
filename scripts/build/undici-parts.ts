/**
 * Of undici the connections alone. Its index runs all that it has (fetch, caches, mocks, WebSocket), which is a megabyte of
 * source and 3 MB of heap in front and back each. A part that is imported and not named here fails the build.
 */
import { createRequire } from 'node:module'
import { join, dirname } from 'node:path'
import type { Plugin } from 'rolldown'

const NAME = '\0undici-parts'

export function undiciParts(importer: string): Plugin {
  const folder = dirname(createRequire(importer).resolve('undici/package.json'))
  const part = (path: string): string => JSON.stringify(join(folder, 'lib', path))
  return {
    name: 'undici-parts',
    resolveId: { filter: { id: /^undici$/ }, handler: () => NAME },
    load: {
      filter: { id: new RegExp(`^${NAME}$`) },
      handler: () => ({
        // As the index does: `request` and the like are methods of each dispatcher.
        code: `
          import Dispatcher from ${part('dispatcher/dispatcher.js')}
          import api from ${part('api/index.js')}
          export { default as Agent } from ${part('dispatcher/agent.js')}
          export { default as Client } from ${part('dispatcher/client.js')}
          export { default as Pool } from ${part('dispatcher/pool.js')}
          export { default as buildConnector } from ${part('core/connect.js')}
          export { default as errors } from ${part('core/errors.js')}
          Object.assign(Dispatcher.prototype, api)`,
        moduleType: 'js',
      }),
    },
  }
}
