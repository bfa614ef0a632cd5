import assert from 'node:assert/strict'
import { test } from 'node:test'
import { qrCodeOf } from '../../src/routes/settings/account/qr-code.ts'

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

test('the path covers exactly the dark modules', () => {
  const code = qrCodeOf('Sonde')
  assert.ok(code)
  const rows = Array.from({ length: code.size }, () => Array.from({ length: code.size }, () => '.'))
  for (const [, x, y, width] of code.path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g))
    rows[Number(y)]?.fill('#', Number(x), Number(x) + Number(width))
  assert.equal(rows.map((row) => row.join('')).join('\n'), SONDE)
})

test('an address of an authenticator has a code of its own size, and the largest has 666 bytes', () => {
  assert.equal(qrCodeOf('otpauth://totp/Sonde:ada@example.com?secret=ABC')?.size, 33)
  assert.equal(qrCodeOf('a'.repeat(666))?.size, 97)
  assert.equal(qrCodeOf('a'.repeat(667)), undefined)
  assert.ok(qrCodeOf('é'.repeat(333)))
  assert.equal(qrCodeOf('é'.repeat(334)), undefined)
})
