/** Reed-Solomon codes over GF(256) with the polynomial x⁸ + x⁴ + x³ + x² + 1 (ISO/IEC 18004:2015, 7.5). */
const POLYNOMIAL = 0x11d

const EXP: number[] = []
const LOG: number[] = []
for (let power = 0, value = 1; power < 255; power++) {
  EXP[power] = value
  LOG[value] = power
  value <<= 1
  if (value > 255) value ^= POLYNOMIAL
}

export function multiply(a: number, b: number): number {
  if (a === 0 || b === 0) return 0
  return EXP[((LOG[a] ?? 0) + (LOG[b] ?? 0)) % 255] ?? 0
}

/** The `count` codewords that make the whole divisible by (x − 2⁰)(x − 2¹)…: what a reader repairs errors with. */
export function checkCodewords(data: readonly number[], count: number): number[] {
  const divisor = divisorOf(count)
  const rest = Array.from({ length: count }, () => 0)
  for (const codeword of data) {
    const factor = codeword ^ (rest.shift() ?? 0)
    rest.push(0)
    for (const [index, coefficient] of divisor.entries()) {
      rest[index] = (rest[index] ?? 0) ^ multiply(coefficient, factor)
    }
  }
  return rest
}

/** Without its leading 1, highest power first. */
function divisorOf(degree: number): number[] {
  let product = [1]
  for (let power = 0; power < degree; power++) {
    const root = EXP[power % 255] ?? 0
    const shifted = [...product, 0]
    product = shifted.map((value, index) =>
      index === 0 ? value : value ^ multiply(product[index - 1] ?? 0, root),
    )
  }
  return product.slice(1)
}
