/** A minidump among the items of an envelope becomes the event of it: exception, threads, registers, images, system. */
import type { EnvelopeItem } from '@sonde/protocol/envelope'
import { type Minidump, MinidumpError, readMinidump } from '@sonde/symbols'
import { jsonObject, type RawObject } from '../normalize/read-fields.ts'

type DumpThread = Minidump['threads'][number]

/** As SDKs and Sentry's endpoints mark it. */
const TYPE = 'event.minidump'

export const isMinidump = ({ header }: EnvelopeItem): boolean =>
  header.type === 'attachment' && header['attachment_type'] === TYPE

/**
 * `payload`: of the event that came with it, or undefined; `beside`: what the SDK had written down, which it is for where
 * both say something. What the dump tells of the crash replaces what either says.
 */
export function withMinidump(
  payload: Uint8Array | undefined,
  beside: RawObject,
  dump: Uint8Array,
): Uint8Array {
  const sent = payload === undefined ? {} : jsonObject(new TextDecoder().decode(payload))
  // Not JSON: the stages say what is wrong with it.
  if (sent === undefined) return payload!
  // When the SDK wrote it down is not when it crashed.
  const { timestamp: _, ...rest } = beside
  const event = { ...rest, ...sent }
  return Buffer.from(JSON.stringify({ ...event, ...fieldsOf(event, dump) }))
}

function fieldsOf(event: RawObject, bytes: Uint8Array): RawObject {
  const platform = event['platform'] ?? 'native'
  const level = event['level'] ?? 'fatal'
  try {
    return { platform, level, ...crashFields(event, readMinidump(bytes)) }
  } catch (error) {
    if (!(error instanceof MinidumpError)) throw error
    // The event is worth keeping: it says that something crashed, and the file lies beside it.
    const value = `the minidump cannot be read: ${error.message}`
    const exception = {
      type: 'Minidump',
      value,
      mechanism: { type: 'minidump', handled: false, synthetic: true },
    }
    return {
      platform,
      level,
      ...(event['exception'] === undefined && { exception: { values: [exception] } }),
    }
  }
}

function crashFields(event: RawObject, dump: Minidump): RawObject {
  const { crash, threads } = dump
  const crashed = threads.find(({ id }) => id === crash?.threadId)
  const contexts = (event['contexts'] ?? {}) as RawObject
  const exception = crash && {
    type: crash.reason,
    value: `Fatal Error: ${crash.reason} at ${hex(crash.address)}`,
    mechanism: {
      type: 'minidump',
      handled: false,
      synthetic: true,
      ...(dump.system === 'Linux' || dump.system === 'Android'
        ? { meta: { signal: { number: crash.code, name: crash.reason } } }
        : {}),
    },
    thread_id: String(crash.threadId),
    ...(crashed && { stacktrace: stackOf(crashed, dump) }),
  }
  return {
    ...(event['timestamp'] === undefined && dump.timestamp > 0 && { timestamp: dump.timestamp }),
    ...(exception && { exception: { values: [exception] } }),
    threads: { values: threads.map((thread) => threadOf(thread, dump, thread === crashed)) },
    debug_meta: { images: dump.modules.map((module) => imageOf(module, dump)) },
    contexts: {
      ...contexts,
      os: { name: dump.system, version: dump.systemVersion, ...((contexts['os'] ?? {}) as RawObject) },
      device: { arch: dump.cpu, ...((contexts['device'] ?? {}) as RawObject) },
    },
  }
}

function threadOf(thread: DumpThread, dump: Minidump, isCrashed: boolean): RawObject {
  return {
    id: String(thread.id),
    ...(thread.name !== undefined && { name: thread.name }),
    crashed: isCrashed,
    current: isCrashed,
    // The stack of the crashed one is that of the exception.
    ...(!isCrashed && thread.frames.length > 0 && { stacktrace: stackOf(thread, dump) }),
  }
}

function stackOf({ frames, registers }: DumpThread, { modules }: Minidump): RawObject {
  return {
    // The dump begins with the crash, a stack of an event ends with it.
    frames: frames.toReversed().map(({ address, trust }) => {
      const module = modules.findLast(({ base, size }) => base <= address && address < base + size)
      return { instruction_addr: hex(address), ...(module && { package: module.name }), data: { trust } }
    }),
    ...(registers && {
      registers: Object.fromEntries(
        Object.entries(registers.named).map(([name, value]) => [name, hex(value)]),
      ),
    }),
  }
}

const TYPES: Readonly<Record<string, string>> = { Windows: 'pe', macOS: 'macho', iOS: 'macho' }

const imageOf = (module: Minidump['modules'][number], { system }: Minidump): RawObject => ({
  type: TYPES[system] ?? 'elf',
  code_file: module.name,
  image_addr: hex(module.base),
  image_size: module.size,
  ...(module.debugId !== undefined && { debug_id: module.debugId }),
  ...(module.codeId !== undefined && { code_id: module.codeId }),
  ...(module.debugFile !== '' && { debug_file: module.debugFile }),
})

const hex = (value: number): string => `0x${value.toString(16)}`
