/** Changes to a multipart form: parts twice, boundaries that are none, odd headers, thousands of parts. */
import type { Random } from '../engine/random.ts'
import type { Mutate } from '../engine/target.ts'

const HEADERS = [
  'Content-Disposition: form-data',
  'Content-Disposition: form-data; name="file"; filename=""',
  'Content-Disposition: form-data; name="__proto__"; filename="__proto__"',
  `Content-Disposition: form-data; name="a"; filename*=UTF-8''%ff%00..%2f..%2fx`,
  'Content-Disposition: attachment; filename="\\"; name="x"',
  'Content-Type: multipart/mixed; boundary=inner',
  'Content-Transfer-Encoding: base64',
  'Content-Type: text/plain; charset=utf-16le',
  `X: ${'y'.repeat(10_000)}`,
  '',
]

// Beyond what a target takes it is cut off anyway.
const MAX_COPIED = 128 * 1024

/** The first line is the boundary. */
export const mutateForm: Mutate = (input, random, other) => {
  const end = input.indexOf('\r\n')
  if (end < 2) return input
  const boundary = input.subarray(0, end)
  const parts = split(input, boundary)
  for (let left = 1 + random.int(3); left > 0; left--) change(parts, split(other, boundary), random)
  const tail = random.oneIn(8) ? '' : random.oneIn(8) ? '\r\n' : '--\r\n'
  return Buffer.concat([...parts.flatMap((part) => [boundary, part]), boundary, Buffer.from(tail)])
}

function change(parts: Buffer[], theirs: readonly Buffer[], random: Random): void {
  const at = random.int(parts.length)
  const part = parts[at] ?? Buffer.from('\r\n\r\n\r\n')
  switch (random.int(6)) {
    case 0:
      parts.splice(at, 1)
      return
    case 1: {
      const most = Math.ceil(MAX_COPIED / (part.length + 1))
      for (let copies = Math.min(most, random.pick([1, 1, 3, 2_000])); copies > 0; copies--) parts.push(part)
      return
    }
    case 2:
      parts.push(Buffer.from('\r\n\r\n\r\n'))
      return
    case 3:
      if (theirs.length > 0) parts.splice(at, 0, random.pick(theirs))
      return
    case 4: {
      const body = part.indexOf('\r\n\r\n')
      const header = Buffer.from(`\r\n${random.pick(HEADERS)}`)
      parts[at] = Buffer.concat([
        part.subarray(0, Math.max(0, body)),
        header,
        part.subarray(Math.max(0, body)),
      ])
      return
    }
    default:
      parts[at] = part.subarray(0, random.int(part.length + 1))
  }
}

function split(input: Buffer, boundary: Buffer): Buffer[] {
  const parts: Buffer[] = []
  for (let at = input.indexOf(boundary); at !== -1;) {
    const next = input.indexOf(boundary, at + boundary.length)
    if (next === -1) break
    parts.push(input.subarray(at + boundary.length, next))
    at = next
  }
  return parts
}
