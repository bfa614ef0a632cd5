/**
 * The segment being written. A write that fails is cut off and the segment goes on; after a failed sync the
 * kernel may have dropped the pages and call them clean (https://wiki.postgresql.org/wiki/Fsync_Errors), so
 * the segment is given up and the next one starts where the durable bytes end, which hides what follows them.
 */
import type { Logger } from '@sonde/base'
import type { Recovered, WritableSegment } from './recover.ts'
import { firstRecordPosition } from './scan.ts'
import { createSegment, type LogFile, type OpenLogFile } from './segments.ts'

export type ActiveSegment = {
  /** The end of what is durable: where the next group goes, unless `givenUp()`. */
  end(): number
  start(): number
  salt(): Buffer
  isEmpty(): boolean
  /** This segment's refused bytes could not be cut off safely: `rotate` before the next `write`. */
  givenUp(): boolean
  /** On disk when it resolves. When it throws, none of `buffers` counts, now or after a restart. */
  write(buffers: readonly Uint8Array[], bytes: number): Promise<void>
  /** Goes on in a new segment at `end()`. When it throws, the old one stays. */
  rotate(): Promise<void>
  close(): Promise<void>
}

export function activeSegment(
  dir: string,
  from: Recovered,
  openFile: OpenLogFile,
  logger: Logger,
): ActiveSegment {
  let segment: WritableSegment = from.segment
  let end = from.end
  let givenUp = false

  const cut = async (): Promise<void> => {
    await segment.file.truncate(end - segment.start)
    await segment.file.datasync()
  }
  return {
    end: () => end,
    start: () => segment.start,
    salt: () => segment.salt,
    isEmpty: () => end === firstRecordPosition(segment.start),
    givenUp: () => givenUp,
    async write(buffers, bytes) {
      try {
        await writeAll(segment.file, buffers, end - segment.start)
      } catch (error) {
        await cut().catch((cutError: unknown) => {
          logger.error(
            { err: cutError, segment: segment.start },
            'could not cut a failed write; giving the segment up',
          )
          givenUp = true
        })
        throw error
      }
      try {
        await segment.file.datasync()
      } catch (error) {
        givenUp = true
        await segment.file.truncate(end - segment.start).catch(() => undefined)
        throw error
      }
      end += bytes
    },
    async rotate() {
      const created = await createSegment(dir, end, openFile)
      const old = segment.file
      segment = { start: end, ...created }
      end = firstRecordPosition(segment.start)
      givenUp = false
      await old
        .close()
        .catch((error: unknown) => logger.warn({ err: error }, 'could not close a log segment'))
    },
    close: () => segment.file.close(),
  }
}

/** `writev` may stop early (a signal, the last free block): goes on until all is down or it throws. */
async function writeAll(file: LogFile, buffers: readonly Uint8Array[], offset: number): Promise<void> {
  let rest = [...buffers]
  while (rest.length > 0) {
    const { bytesWritten } = await file.writev(rest, offset)
    if (bytesWritten === 0) throw new Error('the disk took no bytes')
    offset += bytesWritten
    rest = after(rest, bytesWritten)
  }
}

function after(buffers: readonly Uint8Array[], written: number): Uint8Array[] {
  let left = written
  let index = 0
  for (let buffer = buffers[index]; buffer && left >= buffer.length; buffer = buffers[index]) {
    left -= buffer.length
    index++
  }
  const [first, ...others] = buffers.slice(index)
  return first ? [first.subarray(left), ...others] : []
}
