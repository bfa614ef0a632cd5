/** Bytes of a debug file → what frames are read with. None of it throws: what cannot be read says why. */
import type { FrameProblem } from '@sonde/protocol/frame-problem'
import {
  isElf,
  isMachO,
  type Mapping,
  readBreakpad,
  readDartMap,
  readElfSymbols,
  readMachOSymbols,
  readMapping,
  SymbolError,
  type SymbolTable,
} from '@sonde/symbols'
import type { Sized } from './load-file.ts'

export type LoadedDebugFile =
  | { readonly ok: true; readonly kind: 'symbols'; readonly table: SymbolTable }
  | { readonly ok: true; readonly kind: 'mapping'; readonly mapping: Mapping }
  | { readonly ok: true; readonly kind: 'dart'; readonly names: ReadonlyMap<string, string> }
  | { readonly ok: false; readonly problem: FrameProblem; readonly detail: string }

const SMALL = 1024

export function loadDebugFile(bytes: Uint8Array): Sized<LoadedDebugFile> {
  try {
    return read(bytes)
  } catch (error) {
    const detail = error instanceof SymbolError ? error.message : 'it cannot be read'
    return { value: { ok: false, problem: 'broken_debug_file', detail }, bytes: SMALL }
  }
}

function read(bytes: Uint8Array): Sized<LoadedDebugFile> {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 64)).toString('latin1')
  const table = head.startsWith('MODULE ')
    ? readBreakpad(bytes)
    : isElf(bytes)
      ? readElfSymbols(bytes)
      : isMachO(bytes)
        ? readMachOSymbols(bytes)
        : undefined
  if (table) return { value: { ok: true, kind: 'symbols', table }, bytes: table.bytes + SMALL }
  if (head.trimStart().startsWith('[')) {
    const map = readDartMap(bytes)
    return { value: { ok: true, kind: 'dart', names: map.names }, bytes: map.bytes + SMALL }
  }
  const mapping = readMapping(bytes)
  return { value: { ok: true, kind: 'mapping', mapping }, bytes: mapping.bytes + SMALL }
}
