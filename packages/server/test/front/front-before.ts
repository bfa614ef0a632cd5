/** A front of real parts (gate, proxy, node:http) before a back of the test's own, over a unix socket. */
import { mkdtempSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { createProxyTrust } from '@sonde/ingest'
import { createGate } from '../../src/front/gate.ts'
import { listen, listenOnSocket } from '../../src/front/listen.ts'
import { createBackProxy, type ProxyOptions } from '../../src/front/proxy.ts'

export type FrontBefore = { readonly url: string; readonly port: number; readonly socketPath: string }

export async function frontBefore(
  t: TestContext,
  back: RequestListener | undefined,
  options: Partial<ProxyOptions> = {},
): Promise<FrontBefore> {
  const socketPath = join(mkdtempSync(join(tmpdir(), 'sonde-proxy-')), 'back.sock')
  if (back) {
    const listening = await listenOnSocket(back, socketPath)
    t.after(() => listening.stop(0))
  }
  const proxy = createBackProxy({ socketPath, trust: createProxyTrust(0), ...options })
  const front = await listen(createGate(proxy.forward), { host: '127.0.0.1', port: 0 })
  t.after(async () => {
    await proxy.close()
    await front.stop(0)
  })
  return { url: `http://127.0.0.1:${front.port}`, port: front.port, socketPath }
}
