/** A copy of the demangler's WebAssembly beside the bundle: packages are bundled, and files of theirs are not looked for there. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'rolldown'

const READER = /symbols[\\/]src[\\/]demangle[\\/]wasm-bytes\.ts$/

export function demanglerFile(): Plugin {
  return {
    name: 'demangler-file',
    load: {
      filter: { id: READER },
      handler() {
        const source = readFileSync(
          fileURLToPath(import.meta.resolve('gecko-profiler-demangle/index_bg.wasm')),
        )
        const file = this.emitFile({ type: 'asset', name: 'demangler.wasm', source })
        return {
          code: `import { readFileSync } from 'node:fs'
export const wasmBytes = () => readFileSync(new URL(import.meta.ROLLUP_FILE_URL_${file}))`,
          moduleType: 'js',
        }
      },
    },
  }
}
