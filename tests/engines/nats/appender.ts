/** Appends numbered records until it is told to stop, and remembers what was acknowledged and what was refused. */
import { UnavailableError } from '@sonde/base'
import type { LogReader, LogWriter } from '@sonde/log'

export type Appender = {
  readonly acknowledged: readonly number[]
  readonly refused: readonly number[]
  /** Resolves once so many more are acknowledged. */
  more(count: number): Promise<void>
  stop(): Promise<void>
}

const AT_ONCE = 16

export function startAppending(writer: LogWriter): Appender {
  const acknowledged: number[] = []
  const refused: number[] = []
  let next = 1
  const stopping = new AbortController()
  let waiting: (() => void)[] = []
  const appendSome = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const number = next++
      try {
        await writer.append(Buffer.from(String(number)))
        acknowledged.push(number)
      } catch (error) {
        if (!(error instanceof UnavailableError)) throw error
        refused.push(number)
      }
      for (const wake of waiting.splice(0)) wake()
    }
  }
  const running = Promise.all(Array.from({ length: AT_ONCE }, appendSome))
  return {
    acknowledged,
    refused,
    async more(count) {
      const until = acknowledged.length + count
      while (acknowledged.length < until) await new Promise<void>((resolve) => waiting.push(resolve))
    },
    async stop() {
      stopping.abort()
      await running
    },
  }
}

/** The numbers of all records, as they lie in the log. */
export async function numbersIn(reader: LogReader, end: number): Promise<number[]> {
  const numbers: number[] = []
  for (let at = 0; at < end;) {
    const limit = { maxRecords: 1_000, maxBytes: 1e6, to: end }
    const records = await reader.read(at, limit, AbortSignal.timeout(10_000))
    if (records.length === 0) return numbers
    numbers.push(...records.map(({ bytes }) => Number(Buffer.from(bytes).toString())))
    at = records.at(-1)?.next ?? end
  }
  return numbers
}
