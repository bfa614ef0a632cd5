/**
 * What ClickHouse Keeper does for `ON CLUSTER`: a statement that says so runs on every shard. The servers of the tests have no
 * Keeper, so this stands before the first of them, and hands on everything else as it is.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

export type DistributedDdl = {
  /** Instead of the first shard's. */
  readonly url: (shardUrl: string) => string
  stop(): Promise<void>
}

const ON_CLUSTER = / ON CLUSTER (?:`[^`]+`|'[^']+'|[\w-]+)/

/**
 * `shardUrls`: the first is the one that is asked for everything else. In a thread of its own: a test that waits for a program
 * with `spawnSync` would keep it from answering that program.
 */
export async function startDistributedDdl(shardUrls: readonly string[]): Promise<DistributedDdl> {
  const thread = new Worker(new URL(import.meta.url), { workerData: shardUrls })
  const [port] = (await once(thread, 'message')) as [number]
  thread.unref()
  return {
    url(shardUrl) {
      const url = new URL(shardUrl)
      url.port = String(port)
      return url.href
    },
    async stop() {
      await thread.terminate()
    },
  }
}

async function listen(shardUrls: readonly string[]): Promise<number> {
  const handle = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const path = req.url ?? '/'
    const body = await buffer(req)
    // The text of an insert stands in the address, its rows in the body.
    const statement = new URL(path, 'http://x').searchParams.has('query') ? '' : body.toString('utf8')
    if (!ON_CLUSTER.test(statement)) return hand(await ask(shardUrls[0] ?? '', path, req, body), res)
    const everywhere = Buffer.from(statement.replace(ON_CLUSTER, ''))
    for (const [at, shardUrl] of shardUrls.entries()) {
      const answer = await ask(shardUrl, path, req, everywhere)
      if (answer.statusCode !== 200 || at === shardUrls.length - 1) return hand(answer, res)
      await buffer(answer)
    }
  }
  const server = createServer((req, res) => {
    handle(req, res).catch(() => res.destroy())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return (server.address() as AddressInfo).port
}

function ask(
  server: string,
  path: string,
  { method, headers }: IncomingMessage,
  body: Buffer,
): Promise<IncomingMessage> {
  const { 'content-length': _, 'transfer-encoding': __, ...others } = headers
  return new Promise((resolve, reject) => {
    const asking = request(
      new URL(path, server),
      { method, headers: { ...others, 'content-length': body.length } },
      resolve,
    )
    asking.on('error', reject)
    asking.end(body)
  })
}

async function hand(answer: IncomingMessage, res: ServerResponse): Promise<void> {
  res.writeHead(answer.statusCode ?? 502, answer.headers)
  await pipeline(answer, res)
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- that of windows; a port has no origin
if (!isMainThread && Array.isArray(workerData)) parentPort?.postMessage(await listen(workerData as string[]))
