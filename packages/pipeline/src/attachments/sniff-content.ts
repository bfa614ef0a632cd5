/**
 * What a browser may be shown of a file, from its bytes alone: senders name types as they like. Raster images that
 * every browser draws and that hold no script; text, as text. Never SVG or HTML: those are text here.
 * Signatures: https://mimesniff.spec.whatwg.org/#matching-an-image-type-pattern
 */
export const SHOWN_IMAGES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/bmp'] as const

/** Empty: only to be downloaded. */
export type ShownAs = (typeof SHOWN_IMAGES)[number] | 'text/plain' | ''

/** As much as a preview shows, and enough to tell text from the rest. */
const SNIFFED_BYTES = 16 * 1024

export function sniffContent(bytes: Uint8Array): ShownAs {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, SNIFFED_BYTES))
  if (head.length === 0) return ''
  return imageType(head) ?? (isText(head, bytes.length > head.length) ? 'text/plain' : '')
}

const starts = (head: Buffer, hex: string): boolean =>
  head.subarray(0, hex.length / 2).toString('hex') === hex

function imageType(head: Buffer): (typeof SHOWN_IMAGES)[number] | undefined {
  if (starts(head, '89504e470d0a1a0a')) return 'image/png'
  if (starts(head, 'ffd8ff')) return 'image/jpeg'
  const text = head.toString('latin1', 0, 16)
  if (/^GIF8[79]a/.test(text)) return 'image/gif'
  if (/^RIFF[^]{4}WEBPVP/.test(text)) return 'image/webp'
  // "BM" alone begins many a text; the four reserved bytes of a bitmap are zero.
  return text.startsWith('BM') && text.slice(6, 10) === '\0\0\0\0' ? 'image/bmp' : undefined
}

/** UTF-8 without the control characters that no text has. A cut may fall into a character. */
function isText(head: Buffer, isCut: boolean): boolean {
  // oxlint-disable-next-line no-control-regex -- these are what is looked for
  if (/[\x00-\x08\x0e-\x1a\x1c-\x1f]/.test(head.toString('latin1'))) return false
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: isCut })
    return true
  } catch {
    return false
  }
}
