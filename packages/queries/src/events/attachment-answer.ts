/**
 * How a stranger's file is handed to a browser: as a download, or shown when its bytes were seen to be a raster image
 * or text. Whatever it holds, it gets no origin, no script and nothing to load.
 */
import type { Attachment, OpenAttachment } from './event-attachments.ts'

export type AttachmentUse = 'download' | 'view'

/** `view` of what is only to be downloaded is a download. */
export function attachmentAnswer({ attachment, content }: OpenAttachment, use: AttachmentUse): Response {
  const isShown = use === 'view' && attachment.shownAs !== ''
  const type = attachment.shownAs === 'text/plain' ? 'text/plain; charset=utf-8' : attachment.shownAs
  return new Response(content.stream, {
    headers: {
      'content-type': isShown ? type : 'application/octet-stream',
      'content-length': String(content.bytes),
      'content-disposition': `${isShown ? 'inline' : 'attachment'}; ${fileNames(attachment)}`,
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
    },
  })
}

const MAX_FILE_NAME_BYTES = 200

/**
 * The last part of the name, without what any file system or shell takes for something else, and without marks that
 * turn the reading direction: `gpj.exe` must not look like `exe.jpg`. https://www.rfc-editor.org/rfc/rfc6266#section-4.3
 */
export function downloadName(name: string): string {
  const last = name.split(/[/\\]/).findLast((part) => part.trim() !== '') ?? ''
  const safe = last
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
    .replaceAll(/[<>:"|?*]/g, '_')
    .replace(/^\.+/, '')
    .replace(/(?<![. ])[. ]+$/, '')
  let short = safe
  while (Buffer.byteLength(short) > MAX_FILE_NAME_BYTES) short = short.slice(0, -1)
  return short.toWellFormed().replace(/\uFFFD$/, '') || 'attachment'
}

function fileNames({ name }: Pick<Attachment, 'name'>): string {
  const file = downloadName(name)
  const plain = file.replaceAll(/[^\x20-\x7e]|[\\"%]/g, '_')
  const encoded = encodeURIComponent(file).replaceAll(/['()*]/g, percent)
  return `filename="${plain}"; filename*=UTF-8''${encoded}`
}

const percent = (char: string): string => `%${char.charCodeAt(0).toString(16).toUpperCase()}`
