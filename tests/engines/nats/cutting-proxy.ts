/** Stands between a client and NATS, and loses an acknowledgement: what was published arrives, and nobody hears of it. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type CuttingProxy = {
  readonly url: string
  /** From now on nothing comes back, and as soon as `text` went to the server and was answered, the connection is cut. */
  cutAfter(text: string): void
  readonly cuts: () => number
  close(): Promise<void>
}

export async function startCuttingProxy(url: string): Promise<CuttingProxy> {
  const to = new URL(url)
  let armed: string | undefined
  let cuts = 0
  const open = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(Number(to.port), to.hostname)
    let sawText = false
    const end = (): void => {
      client.destroy()
      upstream.destroy()
    }
    for (const socket of [client, upstream]) {
      open.add(socket)
      socket.on('error', end)
      socket.on('close', () => {
        open.delete(socket)
        end()
      })
    }
    client.on('data', (bytes) => {
      if (armed !== undefined && bytes.includes(armed)) sawText = true
      upstream.write(bytes)
    })
    upstream.on('data', (bytes) => {
      if (!sawText) {
        client.write(bytes)
        return
      }
      // The answer to what was published.
      armed = undefined
      cuts++
      end()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `nats://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cutAfter(text) {
      armed = text
    },
    cuts: () => cuts,
    async close() {
      for (const socket of open) socket.destroy()
      await once(server.close(), 'close')
    },
  }
}
