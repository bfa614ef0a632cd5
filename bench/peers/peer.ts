/** A server that takes Sentry's envelopes, as the comparison starts it, looks at it and kills it. */
import type { Target } from '../load/template.ts'
import type { ProcessUsage } from '../machine/process-tree.ts'
import type { LoadedSystem } from '../persist/interval.ts'

export type RunningPeer = LoadedSystem & {
  readonly target: Target
  /** By its own public API. */
  isVisible(eventId: string): Promise<boolean>
  /** By process and what it is there for. */
  usage(): readonly ProcessUsage[]
  /** Milliseconds until the last byte of the HTML that a signed-in person gets. */
  readonly pages: { list(): Promise<number>; issue(): Promise<number> }
  /** Issues that it has made of what it was sent. */
  issues(): Promise<number>
  /** `kill -9` of all its processes at once; then it is started again on the same port and data. */
  killAndRestart(): Promise<void>
  /** Stops it, lets it compact what it keeps, and says how many bytes it keeps of what it was sent. */
  stopAndCount(): Promise<number>
  /** Ends what still runs, and removes its data. */
  remove(): Promise<void>
}

export type Peer = {
  readonly name: string
  start(): Promise<RunningPeer>
}
