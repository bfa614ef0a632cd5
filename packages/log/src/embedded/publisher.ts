/** Writes `durable` (see `published.ts`): one write at a time, always the newest value, never in an append's way. */
import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { Logger } from '@sonde/base'
import { encodePublished, type Published, publishedPath } from './published.ts'

// A file system that copies on write may refuse even this when it is full; the reader only lags meanwhile.
const RETRY_MS = 200

export type Publisher = {
  /** Returns at once. */
  publish(value: Published): void
  /** Waits for what is being written. Never throws: a reader that lags is no reason to refuse appends. */
  settled(): Promise<void>
  close(): Promise<void>
}

export async function openPublisher(dir: string, logger: Logger): Promise<Publisher> {
  const file: FileHandle = await open(publishedPath(dir), constants.O_RDWR | constants.O_CREAT, 0o640)
  let next: Published | undefined
  let running: Promise<void> | undefined
  let retry: NodeJS.Timeout | undefined

  const run = async (): Promise<void> => {
    while (next) {
      const value = next
      next = undefined
      try {
        const bytes = encodePublished(value)
        await file.write(bytes, 0, bytes.length, 0)
      } catch (error) {
        logger.warn({ err: error }, 'could not publish the durable position; readers lag until it works')
        next ??= value
        retry = setTimeout(start, RETRY_MS)
        retry.unref()
        return
      }
    }
  }
  function start(): void {
    running ??= run().finally(() => {
      running = undefined
    })
  }
  const settled = async (): Promise<void> => {
    await running
    if (running) await settled()
  }
  return {
    publish(value) {
      next = value
      clearTimeout(retry)
      start()
    },
    settled,
    async close() {
      await settled()
      clearTimeout(retry)
      await file.close()
    },
  }
}
