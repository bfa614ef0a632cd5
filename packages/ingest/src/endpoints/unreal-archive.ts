/**
 * What Unreal Engine's crash reporter sends: zlib over a header and the files of the crash. As `FCompressedData` of
 * CrashReportCore writes them: a marker `CR1` or nothing, then file after file: number, name, size, bytes. Numbers are
 * little-endian, texts have their length before them. Without the marker the header is written behind the files.
 */
import { promisify } from 'node:util'
import { inflate } from 'node:zlib'
import { createEnvelope, type Envelope, type NewItem } from '@sonde/protocol'
import { refuse } from '../refusal.ts'

export type UnrealFile = { readonly name: string; readonly bytes: Buffer }

const unpack = promisify(inflate)
const MARKER = 'CR1'
/** Directory and name of the report, each with its length. */
const HEADER_TEXTS = 2
const MAX_TEXT_BYTES = 4_096
/** As many as one event may have beside it. */
const MAX_FILES = 29
const DUMP = 'MDMP'

/** Throws 400 and 413. */
export async function readUnrealArchive(body: Uint8Array, maxBytes: number): Promise<readonly UnrealFile[]> {
  let bytes: Buffer
  try {
    bytes = await unpack(body, { maxOutputLength: maxBytes })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw refuse(413, 'too_large', `the report unpacks to more than ${maxBytes} bytes`)
    throw broken('it is not compressed with zlib')
  }
  return filesOf(bytes)
}

export function filesOf(bytes: Buffer): readonly UnrealFile[] {
  const isMarked = bytes.toString('latin1', 0, MARKER.length) === MARKER
  let at = isMarked ? MARKER.length : 0
  const number = (): number => {
    if (at + 4 > bytes.length) throw broken('it ends before its files do')
    at += 4
    return bytes.readInt32LE(at - 4)
  }
  const text = (): string => {
    const length = number()
    if (length < 0 || length > MAX_TEXT_BYTES || at + length > bytes.length)
      throw broken('a name in it has an impossible length')
    const raw = bytes.subarray(at, at + length)
    at += length
    const end = raw.indexOf(0)
    return raw.toString('utf8', 0, end === -1 ? raw.length : end)
  }
  const header = (): number => {
    for (let left = HEADER_TEXTS; left > 0; left--) text()
    number()
    return number()
  }
  const count = header()
  const files: UnrealFile[] = []
  const headerBytes = at - (isMarked ? MARKER.length : 0)
  // Where the header stands behind the files, the first one counts none: they go on until it begins.
  const isOver = (): boolean => (isMarked ? files.length >= count : bytes.length - at <= headerBytes)
  while (!isOver()) {
    if (files.length >= MAX_FILES) throw broken(`it has more than ${MAX_FILES} files`)
    number()
    const name = text()
    const size = number()
    if (size < 0 || at + size > bytes.length)
      throw broken(`its file ${JSON.stringify(name.slice(0, 64))} is cut`)
    files.push({ name, bytes: bytes.subarray(at, at + size) })
    at += size
  }
  if (files.length === 0) throw broken('it has no files')
  return files
}

/** The crash as an envelope: an event that the pipeline fills, and the files beside it. */
export function unrealItems(files: readonly UnrealFile[], eventId: string): readonly NewItem[] {
  const event = { event_id: eventId, platform: 'native' }
  return [
    { header: { type: 'event' }, payload: Buffer.from(JSON.stringify(event)) },
    ...files.map(({ name, bytes }) => ({
      header: { type: 'attachment', filename: name, ...kindOf(name, bytes) },
      payload: bytes,
    })),
  ]
}

function kindOf(name: string, bytes: Buffer): Readonly<Record<string, string>> {
  if (bytes.toString('latin1', 0, 4) === DUMP)
    return { attachment_type: 'event.minidump', content_type: 'application/x-minidump' }
  if (/^CrashContext\.runtime-xml$/i.test(name))
    return { attachment_type: 'unreal.context', content_type: 'application/xml' }
  if (/\.log$/i.test(name)) return { attachment_type: 'unreal.logs', content_type: 'text/plain' }
  return { attachment_type: 'event.attachment' }
}

/** An envelope with an item `unreal_report` has the files of it instead. Undefined: it has none. Throws 400 and 413. */
export async function withUnrealFiles(
  { header, items }: Envelope,
  eventId: string,
  maxBytes: number,
): Promise<Envelope | undefined> {
  const report = items.find((item) => item.header.type === 'unreal_report')
  if (!report) return undefined
  const files = await readUnrealArchive(report.payload, maxBytes)
  const others = items.filter((item) => item !== report && item.header.type !== 'unreal_report')
  const event = others.find((item) => item.header.type === 'event')
  const made = unrealItems(files, eventId)
  return createEnvelope({ ...header, event_id: eventId }, [...(event ? made.slice(1) : made), ...others])
}

const broken = (cause: string): Error =>
  refuse(400, 'bad_envelope', `the crash report cannot be read: ${cause}`)
