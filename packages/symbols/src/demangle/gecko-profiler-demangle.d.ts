/** What the package has beside its entry, which only bundlers that import WebAssembly can load. */
declare module 'gecko-profiler-demangle/index_bg.js' {
  export function demangle_any(name: string): string
  // oxlint-disable-next-line no-underscore-dangle -- what wasm-bindgen calls it
  export function __wbg_set_wasm(exports: WebAssembly.Exports): void
}
