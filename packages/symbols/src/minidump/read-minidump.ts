/** A minidump: why the program ended, on what, and the stack of each thread. Nothing of it is symbolicated. */
import { crashReason, type System } from './crash-reason.ts'
import { type Module, readModules } from './modules.ts'
import { MinidumpError, openMinidump, type Reader } from './reader.ts'
import { type Cpu, readRegisters, type Registers } from './registers.ts'
import { type Memory, walkStack, type WalkedFrame } from './walk-stack.ts'

export type DumpThread = {
  readonly id: number
  readonly name: string | undefined
  readonly registers: Registers | undefined
  /** The innermost first. */
  readonly frames: readonly WalkedFrame[]
}

export type Minidump = {
  readonly system: System
  readonly systemVersion: string
  readonly cpu: Cpu | 'unknown'
  /** Unix seconds. */
  readonly timestamp: number
  readonly modules: readonly Module[]
  readonly threads: readonly DumpThread[]
  /** Undefined: it was written without a crash. */
  readonly crash:
    | { readonly reason: string; readonly address: number; readonly threadId: number; readonly code: number }
    | undefined
}

const THREADS = 3
const MEMORY = 5
const EXCEPTION = 6
const SYSTEM_INFO = 7
const THREAD_NAMES = 24
const THREAD_BYTES = 48
const MAX_THREADS = 256
const MAX_RANGES = 10_000
/** Of one stack: frames are found near its top. */
const MAX_STACK_BYTES = 1024 * 1024

const SYSTEMS: Readonly<Record<number, System>> = {
  2: 'Windows',
  0x8101: 'macOS',
  0x8102: 'iOS',
  0x8201: 'Linux',
  0x8203: 'Android',
}
const CPUS: Readonly<Record<number, Cpu>> = { 0: 'x86', 5: 'arm', 9: 'x86_64', 12: 'arm64', 0x8003: 'arm64' }

/** Throws `MinidumpError`. */
export function readMinidump(bytes: Uint8Array): Minidump {
  const dump = openMinidump(bytes)
  const info = dump.streams.get(SYSTEM_INFO)
  if (!info) throw new MinidumpError('it does not say of which system it is')
  const cpu = CPUS[dump.u16(info.at)]
  const system = SYSTEMS[dump.u32(info.at + 20)] ?? 'unknown'
  const modules = readModules(dump, system === 'Windows')
  const exception = dump.streams.get(EXCEPTION)
  const code = exception ? dump.u32(exception.at + 8) : 0
  const crash = exception && {
    threadId: dump.u32(exception.at),
    code,
    address: dump.u64(exception.at + 24),
    reason: crashReason(system, code),
  }
  const crashContext = exception && { size: dump.u32(exception.at + 160), at: dump.u32(exception.at + 164) }
  const names = threadNames(dump)
  const ranges = memoryRanges(dump)
  const threads: DumpThread[] = []
  const list = dump.streams.get(THREADS)
  const count = list ? Math.min(dump.u32(list.at), Math.floor(dump.length / THREAD_BYTES)) : 0
  const first = list ? list.at + (list.size === 8 + count * THREAD_BYTES ? 8 : 4) : 0
  for (let at = 0; at < count && threads.length < MAX_THREADS; at++) {
    const entry = first + at * THREAD_BYTES
    const id = dump.u32(entry)
    const isCrashed = id === crash?.threadId
    const context =
      isCrashed && crashContext ? crashContext : { size: dump.u32(entry + 40), at: dump.u32(entry + 44) }
    const registers = cpu && readRegisters(dump, context, cpu)
    const own = { start: dump.u64(entry + 24), size: dump.u32(entry + 32), at: dump.u32(entry + 36) }
    const memory = registers && stackMemory(dump, [own, ...ranges], registers.sp)
    const frames = registers && cpu ? walkStack(registers, memory, modules, cpu) : []
    threads.push({ id, name: names.get(id), registers, frames })
  }
  const version = [8, 12, 16].map((at) => dump.u32(info.at + at)).join('.')
  return {
    system,
    systemVersion: version,
    cpu: cpu ?? 'unknown',
    timestamp: dump.u32(20),
    modules,
    threads,
    crash,
  }
}

type Range = { readonly start: number; readonly size: number; readonly at: number }

function stackMemory(dump: Reader, ranges: readonly Range[], sp: number): Memory | undefined {
  const range = ranges.find(({ start, size }) => start <= sp && sp < start + size)
  if (!range) return undefined
  const skipped = sp - range.start
  return { start: sp, bytes: dump.bytes(range.at + skipped, Math.min(range.size - skipped, MAX_STACK_BYTES)) }
}

function memoryRanges(dump: Reader): readonly Range[] {
  const list = dump.streams.get(MEMORY)
  if (!list) return []
  const count = Math.min(dump.u32(list.at), MAX_RANGES, Math.floor(dump.length / 16))
  const from = list.at + (list.size === 8 + count * 16 ? 8 : 4)
  return Array.from({ length: count }, (_, at) => {
    const entry = from + at * 16
    return { start: dump.u64(entry), size: dump.u32(entry + 8), at: dump.u32(entry + 12) }
  })
}

/** https://learn.microsoft.com/windows/win32/api/minidumpapiset/ns-minidumpapiset-minidump_thread_name */
function threadNames(dump: Reader): ReadonlyMap<number, string> {
  const list = dump.streams.get(THREAD_NAMES)
  const names = new Map<number, string>()
  const count = list ? Math.min(dump.u32(list.at), MAX_THREADS) : 0
  const first = list ? list.at + 4 : 0
  for (let at = 0; at < count; at++) {
    const entry = first + at * 12
    const name = dump.text(dump.u64(entry + 4))
    if (name !== '') names.set(dump.u32(entry), name.replaceAll('\0', ''))
  }
  return names
}
