/** Texts of a minidump: whole characters, whatever length and place the file claims for them. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { openMinidump } from '../src/minidump/reader.ts'

it('a text of odd length, at an odd place or beyond the end is cut to its whole characters', () => {
  const file = Buffer.alloc(200)
  file.write('MDMP', 'latin1')
  const dump = openMinidump(file)
  const put = (at: number, length: number, text: string): void => {
    file.writeUInt32LE(length, at)
    file.write(text, at + 4, 'utf16le')
  }
  put(41, 7, 'shop')
  assert.equal(dump.text(41), 'sho')
  put(80, 8, 'cart')
  assert.equal(dump.text(80), 'cart')
  put(189, 4_000_000, 'abc')
  assert.equal(dump.text(189), 'abc')
  for (const at of [0, 195, 199, 200, 2 ** 31]) assert.equal(dump.text(at), '')
  put(101, 1, '')
  assert.equal(dump.text(101), '')
  for (let round = 0; round < 200_000; round++) {
    file.writeUInt32LE(1 + 2 * (round % 60), 41)
    dump.text(41)
  }
})
