/** Sends one job's requests and says what became of them: a closed loop, or an open one with a fixed rate. */
import { type Connection, openConnection, type Outcome } from './connection.ts'
import { createTally, type LoadResult, type Tally } from './tally.ts'
import { eventId, fillTemplate, type Template } from './template.ts'

export type Job = {
  readonly host: string
  readonly port: number
  readonly connections: number
  readonly durationMs: number
  /** At most so many requests. */
  readonly count?: number
  /**
   * Requests a second (open loop): request `i` is due at `i / rate` whatever became of the others, and its latency
   * counts from then. Undefined (closed loop): each connection sends its next request when it has its answer.
   */
  readonly ratePerSec: number | undefined
  readonly idPrefix: string
  /** Ids are the prefix and a counter that starts here. Request `i` has template `i % templates.length`. */
  readonly firstCounter: number
  /** Each template makes so many kinds of error, in turn, where it has a place for them; 1 unless given. */
  readonly kinds?: number
  /** Open loop: later than this, a request that found no connection is dropped. Also how long an answer may take. */
  readonly timeoutMs: number
}

export type JobEvents = {
  /** Called for each 200. */
  readonly onAccepted: (counter: number, atMs: number) => void
  /** The run ends early when this is aborted. */
  readonly signal: AbortSignal
}

// Finer would keep a core busy with waiting; requests that are due within one tick go out together.
const TICK_MS = 1

export async function runJob(
  job: Job,
  templates: readonly Template[],
  events: JobEvents,
): Promise<LoadResult> {
  const { host, port, timeoutMs } = job
  const tally = createTally()
  const maxRequestBytes = Math.max(...templates.map((template) => template.bytes.length))
  const idle = Array.from({ length: job.connections }, () =>
    openConnection({ host, port, maxRequestBytes, timeoutMs }),
  )
  const all = [...idle]
  const startMs = performance.now()
  const isOver = (): boolean =>
    events.signal.aborted ||
    performance.now() - startMs >= job.durationMs ||
    tally.counts.scheduled >= (job.count ?? Infinity)

  const send = (connection: Connection, index: number, dueMs: number, onFree: () => void): void => {
    const counter = job.firstCounter + index
    const template = templates[index % templates.length] as Template
    const length = fillTemplate(template, connection.buffer, {
      id: eventId(job.idPrefix, counter),
      nowMs: Date.now(),
      kind: Math.floor(index / templates.length) % (job.kinds ?? 1),
    })
    connection.send(length, (outcome: Outcome, namesTime: boolean) => {
      tally.done(outcome, performance.now() - dueMs, namesTime)
      if (outcome === 200) events.onAccepted(counter, Date.now())
      onFree()
    })
  }

  if (job.ratePerSec === undefined) {
    await Promise.all(
      idle.map(
        (connection) =>
          new Promise<void>((resolve) => {
            const next = (): void => {
              if (isOver()) resolve()
              else send(connection, tally.counts.scheduled++, performance.now(), next)
            }
            next()
          }),
      ),
    )
  } else await openLoop(job, idle, tally, send, isOver)
  for (const connection of all) connection.close()
  return tally.result(performance.now() - startMs)
}

type Send = (connection: Connection, index: number, dueMs: number, onFree: () => void) => void

function openLoop(
  job: Job,
  idle: Connection[],
  { counts, late }: Tally,
  send: Send,
  isOver: () => boolean,
): Promise<void> {
  const everyMs = 1000 / (job.ratePerSec ?? 1)
  const startMs = performance.now()
  /** Next request to send; those from here to `counts.scheduled` wait for a connection. */
  let next = 0
  let inFlight = 0
  return new Promise((resolve) => {
    const sendDue = (): void => {
      const nowMs = performance.now()
      while (next < counts.scheduled) {
        const index = next
        const dueMs = startMs + index * everyMs
        if (nowMs - dueMs > job.timeoutMs) {
          next++
          counts.dropped++
          continue
        }
        const connection = idle.pop()
        if (!connection) return
        next++
        inFlight++
        send(connection, index, dueMs, () => {
          inFlight--
          idle.push(connection)
          sendDue()
        })
      }
    }
    const timer = setInterval(() => {
      const isEnding = isOver()
      const nowMs = performance.now() - startMs
      const due = Math.min(Math.floor(nowMs / everyMs) + 1, job.count ?? Infinity)
      if (!isEnding) while (counts.scheduled < due) late(nowMs - counts.scheduled++ * everyMs)
      sendDue()
      if (!isEnding || inFlight > 0 || next < counts.scheduled) return
      clearInterval(timer)
      resolve()
    }, TICK_MS)
  })
}
