/** Writes crash reports as Unreal Engine does: with the header in front, or behind the files. */
import { deflateSync } from 'node:zlib'

type File = { readonly name: string; readonly bytes: Buffer }

export const archiveOf = (files: readonly File[], options: { readonly isMarked: boolean }): Buffer =>
  deflateSync(unpackedArchive(files, options))

export function unpackedArchive(
  files: readonly File[],
  { isMarked }: { readonly isMarked: boolean },
): Buffer {
  const number = (value: number): Buffer => {
    const bytes = Buffer.alloc(4)
    bytes.writeInt32LE(value)
    return bytes
  }
  const text = (value: string): Buffer => {
    const bytes = Buffer.alloc(260)
    bytes.write(value)
    return Buffer.concat([number(260), bytes])
  }
  const body = files.flatMap(({ name, bytes }, at) => [number(at), text(name), number(bytes.length), bytes])
  const size = body.reduce((sum, part) => sum + part.length, 0)
  const header = (count: number): Buffer =>
    Buffer.concat([
      text('UECC-Windows-1_0000'),
      text('UECC-Windows-1_0000.uecrash'),
      number(size),
      number(count),
    ])
  return isMarked
    ? Buffer.concat([Buffer.from('CR1'), header(files.length), ...body])
    : Buffer.concat([header(0), ...body, header(files.length)])
}
