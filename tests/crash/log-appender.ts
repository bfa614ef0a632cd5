/** Appends under load until it is killed, and says which numbers were acknowledged: `node log-appender.ts <dir> <first>`. */
import { writeSync } from 'node:fs'
import { silentLogger } from '@sonde/base'
import { openLogWriter } from '@sonde/log'

const STDOUT = 1
const CONCURRENT = 32
const [dir = '', first = '0'] = process.argv.slice(2)
const writer = await openLogWriter({ dir, logger: silentLogger, segmentBytes: 256 * 1024 })

let next = Number(first)
await Promise.all(
  Array.from({ length: CONCURRENT }, async () => {
    for (;;) {
      const number = next++
      const padding = 'x'.repeat((number * 7919) % 3000)
      await writer.append(Buffer.from(`${number} ${padding}`))
      // Written, not buffered: what this process knows as acknowledged must survive it.
      say(`${number}\n`)
    }
  }),
)

/** The pipe does not block: when the reader is behind, the write is tried again. A line is shorter than the pipe's atomic size. */
function say(line: string): void {
  for (;;) {
    try {
      writeSync(STDOUT, line)
      return
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
    }
  }
}
