/**
 * Registers of a thread where it stood. Contexts as Microsoft and Breakpad lay them out:
 * https://chromium.googlesource.com/breakpad/breakpad/+/HEAD/src/google_breakpad/common/
 */
import type { Reader, Stream } from './reader.ts'

const CPUS = ['x86', 'x86_64', 'arm', 'arm64'] as const
export type Cpu = (typeof CPUS)[number]

export type Registers = {
  readonly named: Readonly<Record<string, number>>
  readonly ip: number
  readonly sp: number
  readonly fp: number
  /** Where a leaf function of ARM returns to. */
  readonly lr: number | undefined
}

type Layout = {
  readonly bytes: number
  readonly names: readonly (readonly [name: string, offset: number])[]
  readonly word: 4 | 8
}

const X64 = [
  'rax',
  'rcx',
  'rdx',
  'rbx',
  'rsp',
  'rbp',
  'rsi',
  'rdi',
  'r8',
  'r9',
  'r10',
  'r11',
  'r12',
  'r13',
  'r14',
  'r15',
  'rip',
]
const X86 = ['edi', 'esi', 'ebx', 'edx', 'ecx', 'eax', 'ebp', 'eip', 'cs', 'eflags', 'esp']
const numbered = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${prefix}${at}`)

const LAYOUTS: Readonly<Record<Cpu, Layout>> = {
  x86_64: { bytes: 0x100, word: 8, names: X64.map((name, at) => [name, 0x78 + at * 8]) },
  x86: { bytes: 0xc8, word: 4, names: X86.map((name, at) => [name, 0x9c + at * 4]) },
  arm: {
    bytes: 4 + 17 * 4,
    word: 4,
    names: [...numbered('r', 13), 'sp', 'lr', 'pc'].map((name, at) => [name, 4 + at * 4]),
  },
  arm64: {
    bytes: 8 + 33 * 8,
    word: 8,
    names: [...numbered('x', 29), 'fp', 'lr', 'sp', 'pc'].map((name, at) => [name, 8 + at * 8]),
  },
}

/** Undefined: the dump has no registers of the thread. */
export function readRegisters(dump: Reader, { at, size }: Stream, cpu: Cpu): Registers | undefined {
  const { bytes, names, word } = LAYOUTS[cpu]
  if (at === 0 || size < bytes || at + bytes > dump.length) return undefined
  const named: Record<string, number> = {}
  for (const [name, offset] of names) named[name] = word === 8 ? dump.u64(at + offset) : dump.u32(at + offset)
  const of = (...candidates: string[]): number => named[candidates.find((name) => name in named) ?? ''] ?? 0
  return {
    named,
    ip: of('rip', 'eip', 'pc'),
    sp: of('rsp', 'esp', 'sp'),
    fp: cpu === 'arm' ? of('r11') : of('rbp', 'ebp', 'fp'),
    lr: 'lr' in named ? of('lr') : undefined,
  }
}
