/** Tells the parent process where a measured server listens, and ends with it. */
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Listening = { readonly port: number }

export function reportListening(server: Server): void {
  const { port } = server.address() as AddressInfo
  process.send?.({ port } satisfies Listening)
  process.on('disconnect', () => process.exit(0))
}
