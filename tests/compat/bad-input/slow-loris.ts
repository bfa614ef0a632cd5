/** Clients that send a byte now and then and never finish. */
import { connect } from 'node:net'
import type { Harness } from '../support/harness.ts'

const BYTE_EVERY_MS = 500

export type SlowEnd = { readonly answer: string; readonly afterMs: number }

/** Each says how its connection ended. Rejects for one that Sonde lets go on for longer than `patienceMs`. */
export function startSlowLorises(
  { sonde, project }: Harness,
  count: number,
  patienceMs: number,
): readonly Promise<SlowEnd>[] {
  const head =
    `POST /api/${project.id}/envelope/?sentry_key=${project.publicKey} HTTP/1.1\r\n` +
    'Host: sonde\r\nContent-Length: 100000\r\n\r\n{'
  return Array.from(
    { length: count },
    () =>
      new Promise((resolve, reject) => {
        const startedMs = Date.now()
        let answer = ''
        let drip: NodeJS.Timeout | undefined
        const socket = connect(sonde.port, '127.0.0.1', () => {
          socket.write(head)
          drip = setInterval(() => socket.write(' '), BYTE_EVERY_MS)
        })
        const patience = setTimeout(
          () => socket.destroy(new Error(`still open after ${patienceMs} ms`)),
          patienceMs,
        )
        let failure: Error | undefined
        socket.on('data', (chunk: Buffer) => (answer += chunk.toString()))
        socket.on('error', (error) => (failure = error))
        socket.on('close', () => {
          clearInterval(drip)
          clearTimeout(patience)
          if (failure && answer === '') reject(failure)
          else resolve({ answer, afterMs: Date.now() - startedMs })
        })
      }),
  )
}
