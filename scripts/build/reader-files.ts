/** Copies of Swagger UI's files beside the bundle: packages are bundled, and files of theirs are not looked for there. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'rolldown'

const READER = /api[\\/]src[\\/]openapi[\\/]reader-files\.ts$/

export function readerFiles(): Plugin {
  return {
    name: 'reader-files',
    load: {
      filter: { id: READER },
      handler() {
        const copyOf = (name: string): string => {
          const source = readFileSync(fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`)))
          return `readFile(new URL(import.meta.ROLLUP_FILE_URL_${this.emitFile({ type: 'asset', name, source })}))`
        }
        return {
          code: `import { readFile } from 'node:fs/promises'
export const readerScript = () => ${copyOf('swagger-ui-bundle.js')}
export const readerStyles = () => ${copyOf('swagger-ui.css')}`,
          moduleType: 'js',
        }
      },
    },
  }
}
