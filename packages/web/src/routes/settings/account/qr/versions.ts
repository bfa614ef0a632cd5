/**
 * The sizes of QR codes (ISO/IEC 18004:2015), at error correction level M: about 15 % of a code may be damaged, what
 * printers and screens usually get. Sonde needs some 130 bytes; versions beyond 20 (97 modules wide) would not be read
 * off a screen with ease, so what does not fit there gets no code.
 */
export type QrVersion = {
  readonly number: number
  /** Modules along one side. */
  readonly size: number
  readonly dataCodewords: number
  readonly blocks: number
  readonly checkCodewordsPerBlock: number
  /** Where the centres of alignment patterns are, along both axes. */
  readonly alignment: readonly number[]
}

/** Table 9 of the standard, level M: check codewords a block and blocks, from version 1 on. */
const LEVEL_M: readonly (readonly [checkCodewordsPerBlock: number, blocks: number])[] = [
  ...([
    [10, 1],
    [16, 1],
    [26, 1],
    [18, 2],
    [24, 2],
  ] as const),
  ...([
    [16, 4],
    [18, 4],
    [22, 4],
    [22, 5],
    [26, 5],
  ] as const),
  ...([
    [30, 5],
    [22, 8],
    [22, 9],
    [24, 9],
    [24, 10],
  ] as const),
  ...([
    [28, 10],
    [28, 11],
    [26, 13],
    [26, 14],
    [26, 16],
  ] as const),
]

export const QR_VERSIONS: readonly QrVersion[] = LEVEL_M.map(([checkCodewordsPerBlock, blocks], index) => {
  const number = index + 1
  const dataCodewords = Math.floor(dataModules(number) / 8) - checkCodewordsPerBlock * blocks
  const size = 17 + 4 * number
  return { number, size, dataCodewords, blocks, checkCodewordsPerBlock, alignment: alignmentOf(number, size) }
})

/** How many bytes fit: behind four bits that say "bytes" stands their number, in 8 bits up to version 9, then in 16. */
export const capacityBytes = ({ number, dataCodewords }: QrVersion): number =>
  Math.floor((dataCodewords * 8 - 4 - lengthBits(number)) / 8)

export const lengthBits = (version: number): number => (version < 10 ? 8 : 16)

/** All modules but those of the patterns by which a reader finds its way. */
function dataModules(version: number): number {
  const size = 17 + 4 * version
  const finders = 3 * 64
  const timing = 2 * (size - 16)
  const format = 31
  const perSide = version === 1 ? 0 : Math.floor(version / 7) + 2
  // 25 modules each, none where a finder is; those on the timing lines share 5 with them.
  const alignment = perSide === 0 ? 0 : (perSide ** 2 - 3) * 25 - (perSide - 2) * 2 * 5
  const versionInfo = version < 7 ? 0 : 36
  return size ** 2 - finders - timing - format - alignment - versionInfo
}

/** From the second on evenly spaced, by an even number, up to seven modules from the edge. */
function alignmentOf(version: number, size: number): number[] {
  if (version === 1) return []
  const count = Math.floor(version / 7) + 2
  const step = Math.ceil((size - 13) / (count - 1) / 2) * 2
  const fromEnd = Array.from({ length: count - 1 }, (_, index) => size - 7 - index * step)
  return [6, ...fromEnd.toReversed()]
}
