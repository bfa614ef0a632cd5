/** Code and style sheets of the page that could not be loaded: what happened to them, in which build. */
import { CHUNK_FAILURE_OP, CHUNK_FAILURE_PREFIX, type ChunkFailureKind } from '@sonde/protocol/navigation'
import { plainFetch } from '../page/watch-requests.ts'
import { randomHex } from '../random-hex.ts'
import type { NavigationClient, NavigationFeature } from '../types.ts'
import { isChunkError } from './failure-reason.ts'
import { activeNavigations } from './navigations.ts'

type Finding = { readonly kind: ChunkFailureKind; readonly status?: number | undefined }

// One missing file is asked for again and again; ten say all there is to say about a deployment.
const MAX_REPORTS = 10

/** Add it after `navigations()`. */
export const chunkFailures = (): NavigationFeature => (client) => {
  const recorder = activeNavigations()
  if (!recorder) return
  const reported = new Set<string>()

  /** Still being looked into; the page may be left meanwhile, and often is, because of the failure. */
  const open = new Set<(finding: Finding) => void>()

  const report = async (url: string): Promise<void> => {
    const { current, shown, write, build, failed } = recorder
    const navigation = current()
    client.emit('chunkFailed', { url, to: navigation?.facts.to })
    if (reported.has(url) || reported.size >= MAX_REPORTS) return
    reported.add(url)
    failed('chunk')
    const route = navigation ? navigation.facts.to_route : shown().route
    const startMs = performance.now()
    const { traceId } = client.trace
    const end = ({ kind, status }: Finding): void => {
      if (!open.delete(end)) return
      const path = url && new URL(url).pathname
      write({
        traceId,
        spanId: randomHex(8),
        op: CHUNK_FAILURE_OP,
        prefix: CHUNK_FAILURE_PREFIX,
        name: kind,
        isError: true,
        startMs,
        endMs: startMs,
        attributes: { kind, url: path, status, build, route, navigation: navigation?.id, ...tabOf(client) },
      })
    }
    open.add(end)
    end(await classify(url))
  }
  client.on('hide', () => {
    for (const end of open) end({ kind: 'unknown' })
  })
  const look = (error: unknown): void => {
    // Safari names no file.
    if (isChunkError(error)) void report(/https?:\S*[^\s)"']/.exec(String(error))?.[0] ?? '')
  }
  addEventListener('vite:preloadError', (event) => look((event as Event & { payload?: unknown }).payload))
  client.on('event', ({ hint }) => look(hint.originalException))
  client.on('errorShown', look)
  addEventListener(
    'error',
    ({ target }) => {
      if (target instanceof HTMLScriptElement) void report(target.src)
      else if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') void report(target.href)
    },
    true,
  )
}

const tabOf = ({ tab }: NavigationClient) => tab && { tab: tab.id, page: tab.page }

/** Asks for the file again, and when it is gone for the page itself: does it still name our entry? */
async function classify(url: string): Promise<{ kind: ChunkFailureKind; status?: number | undefined }> {
  if (!navigator.onLine) return { kind: 'offline' }
  const answerOf = (what: string): Promise<Response | undefined> =>
    plainFetch(what, { cache: 'no-store' }).catch(() => undefined)
  const file = url ? await answerOf(url) : undefined
  const status = file?.status
  void file?.body?.cancel()
  if (status! >= 500) return { kind: 'server', status }
  // Servers of single-page apps answer every path with the page.
  const isGone = status! >= 400 || /html/.test(file?.headers.get('content-type') ?? '')
  if (file && !isGone) return { kind: 'unknown', status }
  const page = await answerOf(location.href)
  const entry = document.querySelector('script[type=module][src]')?.getAttribute('src')
  const isOld = page?.ok && entry && !(await page.text().catch(() => entry)).includes(entry)
  const kind = isOld ? 'old_build' : !page ? 'unreachable' : file ? 'not_found' : url ? 'blocked' : 'unknown'
  return { kind, status }
}
