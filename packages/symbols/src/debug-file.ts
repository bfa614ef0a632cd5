/** What an uploaded debug file is, by its own bytes; names and what the uploader said count only where the bytes say nothing. */
import { debugIdOfMapping, readDebugId } from './debug-id.ts'
import { debugIdOfBuild, isElf, readElf } from './elf.ts'
import { fatParts, isMachO, readMachO } from './macho.ts'
import { SymbolError } from './symbol-table.ts'

const DEBUG_FILE_KINDS = ['breakpad', 'elf', 'macho', 'proguard', 'dartsymbolmap'] as const
export type DebugFileKind = (typeof DEBUG_FILE_KINDS)[number]

/** What a file can be used for, in sentry-cli's words. */
export type DebugFeature = 'symtab' | 'debug' | 'mapping'

export type DebugFile = {
  readonly kind: DebugFileKind
  readonly debugId: string
  /** Lower hex; empty: none. */
  readonly codeId: string
  readonly cpu: string
  readonly features: readonly DebugFeature[]
  /** Of a fat file, one part. */
  readonly bytes: Uint8Array
}

export type Told = {
  /** As it was uploaded: `/proguard/{uuid}.txt` tells the id of a mapping. */
  readonly name: string
  readonly debugId: string | undefined
}

const HEAD_BYTES = 64 * 1024

/** A fat file has several. Throws `SymbolError` with a text for the uploader. */
export function readDebugFile(bytes: Uint8Array, told: Told): readonly DebugFile[] {
  const parts = fatParts(bytes)
  if (parts) {
    if (parts.length === 0) throw new SymbolError('it is a fat file without a part that is read')
    return parts.map(machoFile)
  }
  if (isElf(bytes)) return [elfFile(bytes)]
  if (isMachO(bytes)) return [machoFile(bytes)]
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, HEAD_BYTES)).toString(
    'utf8',
  )
  if (head.startsWith('MODULE ')) return [breakpadFile(bytes, head)]
  if (head.startsWith('Microsoft C/C++ MSF') || head.startsWith('BSJB'))
    throw new SymbolError('PDB files are not read: upload what Breakpad’s dump_syms makes of it')
  if (head.startsWith('MZ'))
    throw new SymbolError('PE files are not read: upload what Breakpad’s dump_syms makes of its PDB')
  if (head.startsWith('SYSB')) throw new SymbolError('source bundles are not read')
  const debugId = readDebugId(told.debugId) ?? idInName(told.name)
  if (head.trimStart().startsWith('[')) {
    if (debugId === undefined) throw new SymbolError('a Dart symbol map needs a debug id')
    return [{ kind: 'dartsymbolmap', debugId, codeId: '', cpu: 'any', features: ['mapping'], bytes }]
  }
  if (/(?:^|\n)\S[^\n]{0,1000} -> \S[^\n]{0,1000}:\r?\n/.test(head))
    return [
      {
        kind: 'proguard',
        debugId: debugId ?? debugIdOfMapping(bytes),
        codeId: '',
        cpu: 'any',
        features: ['mapping'],
        bytes,
      },
    ]
  throw new SymbolError(
    'it is no debug file that is known: ELF, Mach-O, Breakpad, ProGuard and Dart maps are',
  )
}

function elfFile(bytes: Uint8Array): DebugFile {
  const { buildId, cpu, names } = readElf(bytes)
  if (buildId === undefined || buildId === '')
    throw new SymbolError('the ELF file has no GNU build id: link with --build-id')
  const features: DebugFeature[] = []
  if (names.includes('.symtab') || names.includes('.dynsym')) features.push('symtab')
  if (names.includes('.debug_info')) features.push('debug')
  return { kind: 'elf', debugId: debugIdOfBuild(buildId), codeId: buildId, cpu, features, bytes }
}

function machoFile(bytes: Uint8Array): DebugFile {
  const { uuid, cpu, symtab, hasDwarf } = readMachO(bytes)
  if (uuid === undefined) throw new SymbolError('the Mach-O file has no UUID')
  const features: DebugFeature[] = []
  if (symtab && symtab[1] > 0) features.push('symtab')
  if (hasDwarf) features.push('debug')
  return { kind: 'macho', debugId: uuid, codeId: uuid.replaceAll('-', ''), cpu, features, bytes }
}

/** `MODULE os cpu id name`, and `INFO CODE_ID id` soon after. */
function breakpadFile(bytes: Uint8Array, head: string): DebugFile {
  const [, , cpu = 'unknown', id] = head.split('\n', 1)[0]!.trim().split(' ')
  const debugId = readDebugId(id)
  if (debugId === undefined) throw new SymbolError('the first line of the symbol file has no debug id')
  const code = /\nINFO CODE_ID ([0-9A-Fa-f]{1,80})\b/.exec(head)?.[1] ?? ''
  return { kind: 'breakpad', debugId, codeId: code.toLowerCase(), cpu, features: ['symtab', 'debug'], bytes }
}

const idInName = (name: string): string | undefined =>
  readDebugId(/(?:^|\/)proguard\/([0-9a-fA-F-]{32,36})(?:\.txt)?$/.exec(name)?.[1])
