/** A built app of another framework on a site that records what its reporter sends, and that answers a path as a test wants. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type RecorderSite, startRecorderSite } from '../../browser/navigation/recorder-site.ts'

export type RecordedApp = RecorderSite & {
  /** Keeps answers of this path back until `letGo`. */
  hold(path: string): void
  letGo(path: string): void
  /** From now on this path is answered with this status, or its connection is cut. */
  refuse(path: string, status: number | 'cut'): void
}

export async function startRecordedApp(
  answer: (req: IncomingMessage, res: ServerResponse) => void,
): Promise<RecordedApp> {
  const held = new Map<string, PromiseWithResolvers<void>>()
  const refused = new Map<string, number | 'cut'>()
  const site = await startRecorderSite({
    script: '',
    handle(req, res) {
      const path = new URL(req.url ?? '/', 'http://site').pathname
      const refusal = refused.get(path)
      if (refusal === 'cut') req.socket.destroy()
      else if (refusal) res.writeHead(refusal, { 'content-type': 'text/plain' }).end('no')
      else void (held.get(path)?.promise ?? Promise.resolve()).then(() => answer(req, res))
      return true
    },
  })
  return {
    ...site,
    hold: (path) => void held.set(path, Promise.withResolvers<void>()),
    letGo(path) {
      held.get(path)?.resolve()
      held.delete(path)
    },
    refuse: (path, status) => void refused.set(path, status),
  }
}
