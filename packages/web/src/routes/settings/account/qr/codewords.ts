/** From bytes to the codewords of a QR code, in the order in which they are drawn (ISO/IEC 18004:2015, 7.4 to 7.6). */
import { checkCodewords } from './check-codewords.ts'
import { capacityBytes, lengthBits, type QrVersion } from './versions.ts'

const BYTE_MODE = 0b0100
/** What fills up the rest, in turn. */
const PADDING = [0xec, 0x11] as const

/** `bytes` must fit into `version`. */
export function codewordsOf(bytes: Uint8Array, version: QrVersion): number[] {
  const blocks = blocksOf(dataCodewordsOf(bytes, version), version)
  const checks = blocks.map((block) => checkCodewords(block, version.checkCodewordsPerBlock))
  return [...interleaved(blocks), ...interleaved(checks)]
}

function dataCodewordsOf(bytes: Uint8Array, version: QrVersion): number[] {
  if (bytes.length > capacityBytes(version)) throw new Error(`${bytes.length} bytes do not fit`)
  const bits = [
    ...bitsOf(BYTE_MODE, 4),
    ...bitsOf(bytes.length, lengthBits(version.number)),
    ...[...bytes].flatMap((byte) => bitsOf(byte, 8)),
  ]
  // Four zeros end the data; in a byte mode without any room left they are cut.
  const ended = [...bits, 0, 0, 0, 0].slice(0, version.dataCodewords * 8)
  const codewords: number[] = []
  for (let at = 0; at < ended.length; at += 8) {
    const octet = ended.slice(at, at + 8)
    codewords.push(octet.reduce((value, bit, index) => value | (bit << (7 - index)), 0))
  }
  for (let turn = 0; codewords.length < version.dataCodewords; turn++) codewords.push(PADDING[turn % 2] ?? 0)
  return codewords
}

const bitsOf = (value: number, length: number): number[] =>
  Array.from({ length }, (_, index) => (value >> (length - 1 - index)) & 1)

/** Blocks of equal length; what is left makes the last ones longer by one. */
function blocksOf(data: readonly number[], { blocks }: QrVersion): number[][] {
  const short = Math.floor(data.length / blocks)
  const longBlocks = data.length % blocks
  let at = 0
  return Array.from({ length: blocks }, (_, index) => {
    const length = short + (index >= blocks - longBlocks ? 1 : 0)
    at += length
    return data.slice(at - length, at)
  })
}

/** The first of each, then the second of each: a stain costs every block a little, none all. */
function interleaved(blocks: readonly (readonly number[])[]): number[] {
  const longest = Math.max(...blocks.map((block) => block.length))
  return Array.from({ length: longest }, (_, index) =>
    blocks.flatMap((block) => (block[index] === undefined ? [] : [block[index]])),
  ).flat()
}
