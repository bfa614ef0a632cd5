/**
 * Names as compilers write them into symbol tables → names as people write them: C++ (Itanium), Rust (both forms). By the
 * demanglers of the Firefox profiler, cpp_demangle and rustc-demangle in WebAssembly. Names of MSVC are told apart, not read.
 */
import * as glue from 'gecko-profiler-demangle/index_bg.js'
import { wasmBytes } from './wasm-bytes.ts'

/** Template libraries have names of some kilobytes; time and memory grow with the length, and with what is repeated in it. */
const MAX_MANGLED = 4_096
const MAX_NAME = 4_096
/** Of each instance: what one name took stays with it. */
const MAX_MEMORY_BYTES = 64 * 1024 * 1024
const MAX_KEPT = 20_000

/** `_Z` of C++, behind another underscore on Apple's systems; `_R` of Rust. */
const MANGLED = /^_{1,3}Z|^_R[A-Z0-9]|^__R[A-Z0-9]/

let compiled: WebAssembly.Module | undefined
let instance: { readonly exports: WebAssembly.Exports; readonly memory: WebAssembly.Memory } | undefined
const kept = new Map<string, string>()

/** The name itself where it is not mangled or cannot be read. Never throws. */
export function demangle(name: string): string {
  if (!MANGLED.test(name) || name.length > MAX_MANGLED) return name
  const known = kept.get(name)
  if (known !== undefined) return known
  const found = read(name)
  if (kept.size >= MAX_KEPT) kept.clear()
  kept.set(name, found)
  return found
}

function read(name: string): string {
  try {
    const { memory } = (instance ??= start())
    const found = glue.demangle_any(name)
    if (memory.buffer.byteLength > MAX_MEMORY_BYTES) instance = undefined
    return found === '' || found.length > MAX_NAME ? name : found
  } catch {
    // A trap leaves its memory in no known state.
    instance = undefined
    return name
  }
}

function start(): NonNullable<typeof instance> {
  compiled ??= new WebAssembly.Module(wasmBytes())
  const imports: Record<string, Record<string, WebAssembly.ImportValue>> = { './index_bg.js': { ...glue } }
  const { exports } = new WebAssembly.Instance(compiled, imports)
  // oxlint-disable-next-line no-underscore-dangle -- what wasm-bindgen calls it
  glue.__wbg_set_wasm(exports)
  ;(exports['__wbindgen_start'] as () => void)()
  return { exports, memory: exports['memory'] as WebAssembly.Memory }
}
