/** Writes minidumps for tests: Linux on x86_64, one module, one thread, its stack. */
export type DumpOptions = {
  /** Words from the stack pointer up. */
  readonly stack: readonly number[]
  readonly fp: number
  readonly ip?: number
  readonly modules?: number
}

export const MODULE = {
  base: 0x400000,
  size: 0x10000,
  name: '/app/shop',
  buildId: 'f1c3bcc0279865fe3058404b2831d9e64135386c',
}
export const STACK = 0x7ffc0000

export function buildDump({ stack, fp, ip = MODULE.base + 0x1008, modules = 1 }: DumpOptions): Buffer {
  const dump = Buffer.alloc(2048 + stack.length * 8)
  const stream = (index: number, type: number, size: number, at: number): void => {
    dump.writeUInt32LE(type, 32 + index * 12)
    dump.writeUInt32LE(size, 36 + index * 12)
    dump.writeUInt32LE(at, 40 + index * 12)
  }
  dump.write('MDMP', 'latin1')
  dump.writeUInt32LE(4, 8)
  dump.writeUInt32LE(32, 12)
  dump.writeUInt32LE(1_700_000_000, 20)
  stream(0, 7, 56, 128)
  dump.writeUInt16LE(9, 128)
  dump.writeUInt32LE(0x8201, 128 + 20)
  stream(1, 4, 4 + 108, 192)
  dump.writeUInt32LE(modules, 192)
  dump.writeBigUInt64LE(BigInt(MODULE.base), 196)
  dump.writeUInt32LE(MODULE.size, 204)
  dump.writeUInt32LE(320, 196 + 20)
  dump.writeUInt32LE(24, 196 + 76)
  dump.writeUInt32LE(400, 196 + 80)
  dump.writeUInt32LE(MODULE.name.length * 2, 320)
  dump.write(MODULE.name, 324, 'utf16le')
  dump.writeUInt32LE(0x4270454c, 400)
  dump.write(MODULE.buildId, 404, 'hex')
  stream(2, 3, 4 + 48, 448)
  dump.writeUInt32LE(1, 448)
  dump.writeUInt32LE(7, 452)
  dump.writeBigUInt64LE(BigInt(STACK), 452 + 24)
  dump.writeUInt32LE(stack.length * 8, 452 + 32)
  dump.writeUInt32LE(2048, 452 + 36)
  stream(3, 6, 168, 512)
  dump.writeUInt32LE(7, 512)
  dump.writeUInt32LE(11, 520)
  dump.writeUInt32LE(0x45, 512 + 24)
  dump.writeUInt32LE(0x100, 512 + 160)
  dump.writeUInt32LE(704, 512 + 164)
  dump.writeBigUInt64LE(BigInt(STACK), 704 + 0x98)
  dump.writeBigUInt64LE(BigInt(fp), 704 + 0xa0)
  dump.writeBigUInt64LE(BigInt(ip), 704 + 0xf8)
  stack.forEach((word, at) => dump.writeBigUInt64LE(BigInt(word), 2048 + at * 8))
  return dump
}
