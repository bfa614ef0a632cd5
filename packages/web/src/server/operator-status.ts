/** What the operator's page shows, and so what `@sonde/server` gathers for it in processes, files and the log. */
import type { OutcomeSeries } from '@sonde/queries'

export type OperatorStatus = {
  /** Unix milliseconds of this look. */
  readonly atMs: number
  readonly version: string
  /** What it runs on: `Node 24.11.0, linux x64`. */
  readonly runtime: string
  /** The worst of the parts. */
  readonly state: OperatorPart['state']
  readonly parts: readonly OperatorPart[]
  readonly log: {
    /** Acknowledged to SDKs and not stored yet. */
    readonly depthBytes: number
    /** Of its files, what is consumed and not deleted yet included. */
    readonly keptBytes: number
    /** Of the first record that waits; 0 when none does. */
    readonly oldestAgeMs: number
    /** Of a log on NATS; their sums are the figures above. */
    readonly partitions?: readonly OperatorPartition[] | undefined
  }
  /** How far the screens are behind what was acknowledged: the age of the first record that waits, 0 when none does. */
  readonly lagMs: number
  /** Front first; without those that this system does not tell about. */
  readonly processes: readonly OperatorProcess[]
  /** By name; empty where there is only one. */
  readonly nodes: readonly OperatorNode[]
  readonly outcomes: OutcomeSeries
  /** Undefined: nobody looked. */
  readonly work: OperatorWork | undefined
  readonly disk: DiskUsage
  readonly deadLetters: {
    /** How many were not given back to the log yet. */
    readonly waiting: number
    /** Newest first, at most 100, also those given back. */
    readonly list: readonly OperatorDeadLetter[]
  }
}

export type OperatorPartition = {
  readonly stream: string
  readonly records: number
  readonly bytes: number
  readonly oldestAgeMs: number
}

export type OperatorWork = {
  readonly queues: readonly OperatorQueue[]
  /** Of the last hour in this process, slowest first. */
  readonly slow: readonly OperatorStatement[]
  /** Of the telemetry server that answers, largest first. */
  readonly tables: readonly OperatorTable[]
  readonly merges: readonly {
    readonly table: string
    readonly elapsedMs: number
    /** 0 to 1. */
    readonly progress: number
    readonly parts: number
    readonly bytes: number
  }[]
  /** Those that run. */
  readonly mutations: readonly {
    readonly table: string
    readonly sinceMs: number
    readonly partsLeft: number
    readonly hasFailed: number
  }[]
  /** Of the processes of this node. */
  readonly logs: readonly OperatorLog[]
  /** How far this machine's clock is ahead of those of senders, by the median of many; undefined: too few told. */
  readonly clockAheadMs?: number | undefined
}

export type OperatorQueue = {
  readonly name: string
  /** Undefined: it cannot be read just now. */
  readonly waiting?: number | undefined
  readonly oldestMs?: number | undefined
}

export type OperatorStatement = {
  /** Kind, tables, and a hash of its text: what error messages call it. */
  readonly name: string
  /** The page, route or job that asked; empty: not known. */
  readonly origin: string
  readonly requestId?: string | undefined
  readonly atMs: number
  readonly tookMs: number
  readonly rows: number
  readonly hasFailed: boolean
}

export type OperatorTable = {
  readonly table: string
  readonly parts: number
  readonly rows: number
  readonly bytes: number
  /** In its partition that has most: the engine slows inserts down when they are very many. */
  readonly mostParts: number
}

export type OperatorLog = {
  readonly name: 'front' | 'back'
  readonly level: string
  readonly configured: string
  readonly forMs?: number | undefined
  /** Warnings and errors since the start, alike ones together, latest first. */
  readonly problems: readonly {
    readonly level: string
    readonly message: string
    readonly error: string
    readonly count: number
    readonly firstMs: number
    readonly lastMs: number
    readonly requestId?: string | undefined
  }[]
}

export type OperatorProcess = {
  readonly name: 'front' | 'back'
  readonly pid: number
  readonly uptimeMs: number
  readonly rssBytes: number
  /** What would be free without it: no shared and no file-backed pages. Undefined where the system does not say. */
  readonly privateBytes: number | undefined
  /** Of one core, since the last look: 1.5 is one and a half cores. */
  readonly cpuShare: number
}

/** One start of Sonde, of several that share their engines. */
export type OperatorNode = {
  /** `host:port` */
  readonly name: string
  readonly roles: readonly string[]
  readonly version: string
  /** `missing`: it ended without saying so, or cannot reach the records. */
  readonly state: 'starting' | 'ready' | 'not ready' | 'draining' | 'missing'
  /** Why it is not ready; empty: it is. */
  readonly trouble: string
  readonly startedMs: number
  /** When it said so: what follows was then. */
  readonly seenMs: number
  readonly processes: readonly OperatorProcess[]
  /** Of the log, that it works on now; the age of the oldest record in them that is not stored. */
  readonly partitions: readonly number[]
  readonly lagMs: number
  /** Of the disk with its data folder; undefined where the system does not say. */
  readonly freeBytes: number | undefined
  readonly sizeBytes: number | undefined
}

export type OperatorPart = {
  readonly name: string
  readonly state: 'ok' | 'degraded' | 'down' | 'stopped'
  /** One sentence; where the state is not `ok`, with the next step. */
  readonly detail: string
}

/** Looked at when somebody asks, at most every 10 s. */
export type DiskUsage = {
  readonly atMs: number
  /** What the files occupy, per engine, most first. */
  readonly engines: readonly {
    readonly name: 'log' | 'telemetry' | 'records' | 'blobs'
    readonly bytes: number
  }[]
  readonly dataBytes: number
  /** Of the file system that holds the data folder, as an ordinary user may fill it. */
  readonly freeBytes: number
  readonly sizeBytes: number
}

export type OperatorDeadLetter = {
  readonly id: number
  readonly projectId: number | undefined
  readonly itemType: string
  readonly reason: string
  readonly detail: string
  readonly createdMs: number
  readonly replayedMs: number | undefined
  readonly discardedMs: number | undefined
  /** As the sender called itself; may be empty. */
  readonly sdk: string
  /** Of the whole record; 0: not known. */
  readonly bytes: number
}

/** One of them with what it holds. */
export type OperatorDeadContent = OperatorDeadLetter & {
  /** Of the log; the first is 0. */
  readonly logPartition: number
  readonly logPosition: number
  /** -1: the whole record. */
  readonly itemIndex: number
  readonly isKept: boolean
  readonly receivedMs: number | undefined
  readonly eventId: string | undefined
  readonly items: readonly { readonly index: number; readonly type: string; readonly bytes: number }[]
  /** At most 64 kB of it. */
  readonly text: string
  readonly isCut: boolean
}

export type OperatorStatusInput = {
  /** Of the outcomes; 24 hours unless told. */
  readonly periodMs?: number | undefined
  /** Bars at most; 48 unless told. */
  readonly buckets?: number | undefined
}
