import { setTimeout as sleep } from 'node:timers/promises'
import type { Running } from './start-ingest.ts'

/** Waits until bodies of about so many bytes are held; fails after five seconds. */
export async function untilInFlight(server: Running, isReached: (bytes: number) => boolean): Promise<void> {
  let bytes = NaN
  for (let look = 0; look < 500; look++) {
    bytes = Number(/^sonde_ingest_in_flight_bytes (\d+)$/m.exec(await server.metricsText())?.[1])
    if (isReached(bytes)) return
    await sleep(10)
  }
  throw new Error(`${bytes} bytes are held`)
}
