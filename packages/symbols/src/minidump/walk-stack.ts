/**
 * From registers and the bytes of a stack to its frames: by frame pointers while they lead on, then by looking for words that
 * point into a module. Unwinding by call frame information is not done.
 */
import type { Module } from './modules.ts'
import type { Cpu, Registers } from './registers.ts'

/** How sure a frame is, in Breakpad's words. */
export type Trust = 'context' | 'fp' | 'scan'
export type WalkedFrame = { readonly address: number; readonly trust: Trust }

export type Memory = { readonly start: number; readonly bytes: Buffer }

/** A recursion has more; the frames nearest to the crash are kept. */
const MAX_FRAMES = 200
/** Breakpad's: further up it is chance. */
const SCAN_WORDS = 40
const FIRST_SCAN_WORDS = 160

/** The innermost first. Every step goes up the stack, so cyclic frame pointers end. */
export function walkStack(
  registers: Registers,
  memory: Memory | undefined,
  modules: readonly Module[],
  cpu: Cpu,
): readonly WalkedFrame[] {
  const word = cpu === 'x86' || cpu === 'arm' ? 4 : 8
  const frames: WalkedFrame[] = [{ address: registers.ip, trust: 'context' }]
  if (!memory) return frames
  const end = memory.start + memory.bytes.length
  const read = (at: number): number | undefined => {
    const offset = at - memory.start
    if (offset < 0 || offset + word > memory.bytes.length) return undefined
    return word === 4
      ? memory.bytes.readUInt32LE(offset)
      : memory.bytes.readUInt32LE(offset) + memory.bytes.readUInt32LE(offset + 4) * 2 ** 32
  }
  const isCode = (address: number): boolean => moduleAt(modules, address) !== undefined
  let { sp, fp } = registers
  while (frames.length < MAX_FRAMES) {
    const next = fp >= sp && fp % word === 0 ? read(fp) : undefined
    const returns = next === undefined ? undefined : read(fp + word)
    if (next !== undefined && returns !== undefined && isCode(returns) && next > fp) {
      frames.push({ address: returns, trust: 'fp' })
      sp = fp + 2 * word
      fp = next
      continue
    }
    const found = scan(sp, frames.length === 1 ? FIRST_SCAN_WORDS : SCAN_WORDS)
    if (found === undefined) break
    const [address, at] = found
    frames.push({ address, trust: 'scan' })
    // What stands before the return address may be the frame pointer of the caller.
    const before = read(at - word)
    if (before !== undefined && before > at && before < end) fp = before
    sp = at + word
  }
  return frames

  function scan(from: number, words: number): readonly [address: number, at: number] | undefined {
    const first = Math.max(memory!.start, Math.ceil(from / word) * word)
    for (let at = first, left = words; left > 0 && at < end; at += word, left--) {
      const value = read(at)
      if (value !== undefined && isCode(value)) return [value, at]
    }
    return undefined
  }
}

/** `modules` ascend by base. */
function moduleAt(modules: readonly Module[], address: number): Module | undefined {
  let low = 0
  let high = modules.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (modules[middle]!.base <= address) low = middle + 1
    else high = middle
  }
  const found = modules[low - 1]
  return found && address < found.base + found.size ? found : undefined
}
