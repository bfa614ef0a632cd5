/**
 * Ports of this machine for servers that are told theirs before they start, and come back on the same after a stop. Not from
 * the range of which the system takes the ports of outgoing connections: any of those could have it just then.
 */
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

/** Below the ephemeral ports of Linux (from 32768) and macOS (from 49152), and clear of what is well known. */
const FIRST = 12_000
const LAST = 31_999

const given = new Set<number>()

/** By chance: processes that ask at the same time hardly meet. Each is given once in a process. */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = []
  while (ports.length < count) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST + 1))
    if (given.has(port) || !(await isFree(port))) continue
    given.add(port)
    ports.push(port)
  }
  return ports
}

export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1)
  return port
}

async function isFree(port: number): Promise<boolean> {
  const server: Server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  await once(server.close(), 'close')
  return true
}
