/**
 * Dart's obfuscation map: a JSON list of pairs, the name in the source and the one in the program.
 * https://docs.flutter.dev/deployment/obfuscate
 */
import { SymbolError } from './symbol-table.ts'

export type DartMap = { readonly names: ReadonlyMap<string, string>; readonly bytes: number }

const MAX_NAMES = 2_000_000

/** By the name in the program. Throws `SymbolError`. */
export function readDartMap(bytes: Uint8Array): DartMap {
  let list: unknown
  try {
    list = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8'))
  } catch {
    throw new SymbolError('it is no JSON')
  }
  if (!Array.isArray(list)) throw new SymbolError('it is no list')
  const names = new Map<string, string>()
  let size = 0
  for (let at = 0; at + 1 < list.length && names.size < MAX_NAMES; at += 2) {
    const [original, obfuscated] = [list[at] as unknown, list[at + 1] as unknown]
    if (typeof original !== 'string' || typeof obfuscated !== 'string') continue
    names.set(obfuscated, original)
    size += 96 + 2 * (original.length + obfuscated.length)
  }
  return { names, bytes: size }
}
