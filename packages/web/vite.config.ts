import { join } from 'node:path'
import { sondeRouter } from '@sonde/router/vite'
import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig, type Rolldown } from 'vite'

const SOURCES = join(import.meta.dirname, 'src')
const LAYOUT = join(SOURCES, 'routes', 'layout.tsx')

/**
 * What the layout imports is on every page: one file. Left to itself the bundler makes a dozen small ones of it, which
 * take two kilobytes more, since each is compressed by itself and named in every page's list.
 */
function shellName(): Rolldown.CodeSplittingNameFunction {
  const shell = new Set<string>()
  const add = (id: string, info: Rolldown.ChunkingContext): void => {
    if (shell.has(id) || !id.startsWith(SOURCES) || !/\.tsx?$/.test(id)) return
    shell.add(id)
    for (const imported of info.getModuleInfo(id)?.importedIds ?? []) add(imported, info)
  }
  return (id, info) => {
    add(LAYOUT, info)
    // The layout itself stays a chunk of its own: the manifest, by which the server finds its styles, names it.
    return id !== LAYOUT && shell.has(id) ? 'shell' : null
  }
}

export default defineConfig({
  root: import.meta.dirname,
  // The published packages of this repository, from their sources.
  resolve: { conditions: ['@sonde/source', ...defaultClientConditions] },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: {
              includeDependenciesRecursively: false,
              groups: [{ name: shellName(), debugName: 'shell' }],
            },
          },
        },
      },
    },
  },
  plugins: [
    react(),
    sondeRouter({
      routesDir: 'src/routes',
      clientSetup: 'src/reporter/start.ts',
      // Everything else of ours has engines, secrets or SQL behind it.
      browserImports: {
        scope: '@sonde/',
        allowed: [
          '@sonde/access/device-name',
          '@sonde/alerts/contract',
          '@sonde/browser',
          '@sonde/protocol/*',
          '@sonde/queries/contract',
          '@sonde/react',
          '@sonde/react/*',
          '@sonde/router',
        ],
      },
      // Development runs them from Node, so that a class or a cache exists once in the process.
      devExternal: ['access', 'alerts', 'base', 'commands', 'queries', 'protocol', 'stores'].map(
        (name) => `@sonde/${name}`,
      ),
    }),
  ],
})
