/** Modules of a minidump: what was loaded where, and of which build. */
import { debugIdOfGuid, readDebugId } from '../debug-id.ts'
import type { Reader } from './reader.ts'

export type Module = {
  readonly name: string
  readonly base: number
  readonly size: number
  /** Undefined: it has none. */
  readonly debugId: string | undefined
  readonly codeId: string | undefined
  /** Of the debug file; empty: the module's own. */
  readonly debugFile: string
}

const MODULE_LIST = 4
const MODULE_BYTES = 108
/** A browser has some hundred. */
const MAX_MODULES = 10_000
const RSDS = 0x53445352
/** Breakpad's: an ELF build id of any length. */
const BPEL = 0x4270454c

/** https://learn.microsoft.com/windows/win32/api/minidumpapiset/ns-minidumpapiset-minidump_module */
export function readModules(dump: Reader, isWindows: boolean): readonly Module[] {
  const stream = dump.streams.get(MODULE_LIST)
  if (!stream) return []
  const count = Math.min(dump.u32(stream.at), MAX_MODULES, Math.floor(dump.length / MODULE_BYTES))
  const modules: Module[] = []
  // Breakpad on some systems aligns the list to eight bytes.
  const from = stream.at + (stream.size === 8 + count * MODULE_BYTES ? 8 : 4)
  for (let at = 0; at < count; at++) {
    const entry = from + at * MODULE_BYTES
    const size = dump.u32(entry + 8)
    const code = codeView(dump, dump.u32(entry + 76), dump.u32(entry + 80))
    const stamp = dump
      .u32(entry + 16)
      .toString(16)
      .padStart(8, '0')
    modules.push({
      base: dump.u64(entry),
      size,
      name: dump.text(dump.u32(entry + 20)),
      debugId: code.debugId,
      codeId: code.codeId ?? (isWindows ? `${stamp}${size.toString(16)}` : undefined),
      debugFile: code.file,
    })
  }
  return modules.toSorted((a, b) => a.base - b.base)
}

function codeView(
  dump: Reader,
  size: number,
  at: number,
): { readonly debugId: string | undefined; readonly codeId: string | undefined; readonly file: string } {
  const none = { debugId: undefined, codeId: undefined, file: '' }
  const kind = size < 8 ? 0 : dump.u32(at)
  if (kind === BPEL) {
    const id = dump.bytes(at + 4, Math.min(size - 4, 64))
    return { debugId: debugIdOfGuid(id), codeId: id.toString('hex'), file: '' }
  }
  if (kind !== RSDS || size < 24) return none
  const name = dump.bytes(at + 24, Math.min(size - 24, 1_024))
  const end = name.indexOf(0)
  const debugId = readDebugId(debugIdOfGuid(dump.bytes(at + 4, 16), dump.u32(at + 20)))
  return {
    debugId: debugId?.startsWith('00000000-0000-0000-0000-000000000000') ? undefined : debugId,
    codeId: undefined,
    file: name.toString('utf8', 0, end === -1 ? name.length : end),
  }
}
