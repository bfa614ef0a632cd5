export type EngineLibrary = { readonly name: string; readonly version: string }
export const KNOWN_INTEGRITY: Readonly<Record<string, string>>
export function engineLibrary(
  root: string,
  machine?: { readonly platform: string; readonly arch: string },
): EngineLibrary | undefined
export function hasIntegrity(bytes: Uint8Array, integrity: string | undefined): boolean
export function notVouched(library: EngineLibrary): string
