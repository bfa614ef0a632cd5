/** The demangler's WebAssembly. A build replaces this file by one that reads a copy beside the bundle (scripts/build/demangler-file.ts). */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const wasmBytes = (): Uint8Array<ArrayBuffer> =>
  readFileSync(fileURLToPath(import.meta.resolve('gecko-profiler-demangle/index_bg.wasm')))
