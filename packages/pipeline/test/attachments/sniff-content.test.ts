/** A browser is shown only what its bytes say is safe, whatever the sender calls it. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import {
  attachmentName,
  attachmentType,
  contentType,
  SHOWN_IMAGES,
  sniffContent,
} from '../../src/process/attachments.ts'

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex')

describe('what a file is shown as', () => {
  for (const [what, bytes, shown] of [
    ['a PNG', hex('89504e470d0a1a0a 0000000d'), 'image/png'],
    ['a JPEG', hex('ffd8ffe0 0010'), 'image/jpeg'],
    ['a GIF', Buffer.from('GIF89a\x01\0'), 'image/gif'],
    ['a WebP', Buffer.from('RIFF\x10\0\0\0WEBPVP8 '), 'image/webp'],
    ['a bitmap', hex('424d 46000000 00000000 36000000'), 'image/bmp'],
    ['a text that begins with BM', Buffer.from('BMW is a car'), 'text/plain'],
    ['text', Buffer.from('sku,left\n4711,2\n'), 'text/plain'],
    ['text beyond ASCII', Buffer.from('größe: 5 µm — ok 🚀'), 'text/plain'],
    ['text with colours of a terminal', Buffer.from('\x1b[31mred\x1b[0m'), 'text/plain'],
    ['SVG is text', Buffer.from('<svg onload="alert(1)"/>'), 'text/plain'],
    ['HTML is text', Buffer.from('<script>alert(1)</script>'), 'text/plain'],
    ['a minidump', Buffer.from('MDMP\x93\xa7\0\0', 'latin1'), ''],
    ['Latin-1', hex('67 72 f6 df 65'), ''],
    ['UTF-16', hex('fffe 6100 6200'), ''],
    ['a gzip', hex('1f8b08 00'), ''],
    ['nothing', Buffer.alloc(0), ''],
  ] as const)
    it(what, () => assert.equal(sniffContent(bytes), shown))

  it('a character cut by the end of what is looked at is still text', () => {
    const text = Buffer.concat([Buffer.alloc(16 * 1024 - 1, 'a'), Buffer.from('🚀 and more')])
    assert.equal(sniffContent(text), 'text/plain')
    assert.equal(sniffContent(text.subarray(0, 16 * 1024)), '')
  })

  it('is never anything that a browser runs, for any bytes', () => {
    const allowed = new Set<string>(['', 'text/plain', ...SHOWN_IMAGES])
    fc.assert(fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => allowed.has(sniffContent(bytes))))
    assert.ok(!allowed.has('image/svg+xml') && !allowed.has('text/html'))
  })
})

describe('what an attachment is called', () => {
  for (const [given, name] of [
    ['größe.txt', 'größe.txt'],
    ['../../etc/passwd', '../../etc/passwd'],
    ['C:\\logs\\app.log', 'C:\\logs\\app.log'],
    ['a\r\nb\0.txt', 'ab.txt'],
    ['  ', 'unnamed'],
    [undefined, 'unnamed'],
    [42, 'unnamed'],
    ['x'.repeat(300), 'x'.repeat(255)],
    [`${'x'.repeat(254)}🚀`, 'x'.repeat(254)],
    [`${'x'.repeat(300)}.png`, `${'x'.repeat(251)}.png`],
    [`${'x'.repeat(250)}🚀🚀.png`, `${'x'.repeat(250)}.png`],
    ['half \ud83d', 'half �'],
  ] as const)
    it(JSON.stringify(given)?.slice(0, 40) ?? 'nothing', () => assert.equal(attachmentName(given), name))

  it('is well-formed and short, and the same again, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (given) => {
        const name = attachmentName(given)
        assert.ok(name.length > 0 && name.length <= 255 && name.isWellFormed(), JSON.stringify(name))
        assert.equal(attachmentName(name), name)
      }),
    )
  })

  it('types are taken when they are types', () => {
    assert.equal(contentType('Text/CSV; charset=utf-8'), 'text/csv; charset=utf-8')
    for (const bad of ['text', 'a/b\r\nx: y', '', null, 'a b/c']) assert.equal(contentType(bad), '')
    assert.equal(attachmentType('event.view_hierarchy'), 'event.view_hierarchy')
    for (const bad of [undefined, '', 'x y', 7, '<b>']) assert.equal(attachmentType(bad), 'event.attachment')
  })
})
