/**
 * What is written to telemetry and deleted from the blobs goes through a gate that a backup closes for a moment. While it is
 * closed, records and telemetry stand at one point in time as after a crash, from which everything goes on by itself.
 */
import type { Blobs, Telemetry } from '@sonde/stores'

export type WriteGate = {
  /** Waits while the gate is closed. */
  write<Result>(work: () => Promise<Result>): Promise<Result>
  /** Waits while deleting is held. */
  delete<Result>(work: () => Promise<Result>): Promise<Result>
  /** Once everything that was begun has ended; nothing begins before `work` ends. One at a time. */
  closed<Result>(work: () => Promise<Result>): Promise<Result>
  /** From now on nothing is deleted; waits for what was begun. Resolves to what ends it. */
  holdDeletes(): Promise<() => void>
}

export function createWriteGate(): WriteGate {
  const writes = turnstile()
  const deletes = turnstile()
  return {
    write: (work) => writes.pass(work),
    delete: (work) => deletes.pass(work),
    async closed(work) {
      const open = await writes.close()
      try {
        return await work()
      } finally {
        open()
      }
    },
    holdDeletes: () => deletes.close(),
  }
}

function turnstile() {
  const inside = new Set<Promise<unknown>>()
  const closed: { until?: Promise<void> | undefined } = {}
  return {
    async pass<Result>(work: () => Promise<Result>): Promise<Result> {
      // Nothing may come between the last look and the work.
      while (closed.until) await closed.until
      const running = work()
      inside.add(running)
      try {
        return await running
      } finally {
        inside.delete(running)
      }
    },
    async close(): Promise<() => void> {
      while (closed.until) await closed.until
      const { promise, resolve } = Promise.withResolvers<void>()
      closed.until = promise
      while (inside.size > 0) await Promise.allSettled(inside)
      return () => {
        closed.until = undefined
        resolve()
      }
    },
  }
}

export function gatedTelemetry(telemetry: Telemetry, gate: WriteGate): Telemetry {
  const { insertNative } = telemetry
  return {
    ...telemetry,
    insert: (table, rows, token) => gate.write(() => telemetry.insert(table, rows, token)),
    command: (sql, params) => gate.write(() => telemetry.command(sql, params)),
    deleteRows: (table, where, params, how) =>
      gate.write(() => telemetry.deleteRows(table, where, params, how)),
    purge: (table) => gate.write(() => telemetry.purge(table)),
    ...(insertNative && {
      insertNative: (table, rows, token) => gate.write(() => insertNative(table, rows, token)),
    }),
  }
}

export function gatedBlobs(blobs: Blobs, gate: WriteGate): Blobs {
  return { ...blobs, delete: (name) => gate.delete(() => blobs.delete(name)) }
}
