import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { checkCodewords, multiply } from '../../../src/routes/settings/account/qr/check-codewords.ts'
import { type QrCode, qrCodeOf, qrPath } from '../../../src/routes/settings/account/qr/qr-code.ts'
import { capacityBytes, QR_VERSIONS } from '../../../src/routes/settings/account/qr/versions.ts'

const pictureOf = ({ size, isDark }: QrCode): string =>
  Array.from({ length: size }, (_, y) =>
    Array.from({ length: size }, (__, x) => (isDark(x, y) ? '#' : '.')).join(''),
  ).join('\n')

const SONDE = `#######.##.#..#######
#.....#...#.#.#.....#
#.###.#..###..#.###.#
#.###.#.#.###.#.###.#
#.###.#.#.#.#.#.###.#
#.....#.#..#..#.....#
#######.#.#.#.#######
........#.###........
#...#.###.##.#####..#
#..###..#####..#.#.#.
##..#.##..##..###.##.
..#.##..#.#..##.#..##
##.##.##..#.###....##
........#.#.###..#..#
#######.#...##...###.
#.....#..#.##..#...#.
#.###.#.#..#..###...#
#.###.#..####....####
#.###.#..###..####...
#.....#......##.#....
#######.#...####....#`

test('a short text, module by module', () => {
  const code = qrCodeOf('Sonde')
  assert.ok(code)
  assert.equal(pictureOf(code), SONDE)
})

/** SHA-256 of each version's picture, full to its last byte: the same as of the npm package qrcode 1.5.4. */
const FULL = `489694cce1040257 2f3ba867159b589e 97be1e1d0be78540 8e7985d187b59e7c c279c7b823388739
  a5228b07595f4869 657aec2c5b073831 471d4024bc3e9417 503251688c8ffbf8 8a6cd092df93c21c
  258d2361710dd01c 7ae58b9dfcfd0717 f727f832acb4dab2 68faa3de3ea1fa04 601e80a358d549bc
  ecc383946f085947 5c010af16c70e57b 068607f027784f67 a5b4372fe0ba10c9 e26d48d821fc15a8`.split(/\s+/)

for (const [index, version] of QR_VERSIONS.entries()) {
  test(`version ${version.number}, full: ${capacityBytes(version)} bytes`, () => {
    const text = 'Sonde:ada@example.com '.repeat(40).slice(0, capacityBytes(version))
    const code = qrCodeOf(text)
    assert.ok(code)
    assert.equal(code.size, version.size)
    assert.equal(createHash('sha256').update(pictureOf(code)).digest('hex').slice(0, 16), FULL[index])
  })
}

test('a text of too many bytes has no code', () => {
  assert.equal(qrCodeOf('a'.repeat(667)), undefined)
  assert.ok(qrCodeOf('é'.repeat(333)))
  assert.equal(qrCodeOf('é'.repeat(334)), undefined)
})

test('data and check codewords together are zero at every root, so that a reader finds each error', () => {
  const data = fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 1, maxLength: 100 })
  fc.assert(
    fc.property(data, fc.integer({ min: 7, max: 30 }), (codewords, count) => {
      const whole = [...codewords, ...checkCodewords(codewords, count)]
      let root = 1
      for (let power = 0; power < count; power++) {
        const at = root
        assert.equal(
          whole.reduce((sum, value) => multiply(sum, at) ^ value, 0),
          0,
        )
        root = multiply(root, 2)
      }
    }),
  )
})

test('the path covers exactly the dark modules', () => {
  const code = qrCodeOf('otpauth://totp/Sonde:ada@example.com?secret=ABC')
  assert.ok(code)
  const covered = new Set<string>()
  for (const [, x, y, width] of qrPath(code).matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
    for (let step = 0; step < Number(width); step++) covered.add(`${Number(x) + step},${y}`)
  }
  const dark = pictureOf(code)
    .split('\n')
    .flatMap((row, y) => row.split('').flatMap((module, x) => (module === '#' ? [`${x},${y}`] : [])))
  assert.deepEqual([...covered].toSorted(), dark.toSorted())
})
