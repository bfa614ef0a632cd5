/** What the API logged during the visits, again over the week before, more of it in the evening. */
import { gunzipSync } from 'node:zlib'
import { parseEnvelope } from '@sonde/protocol/envelope'
import { BY_HOUR } from './history.ts'
import type { Recorded } from './recorder.ts'
import { sendItems } from './send-items.ts'

const HOUR_MS = 3_600_000
const HOURS = 7 * 24
/** As many as a container of the protocol may hold. */
const AN_ITEM = 100

type Line = Readonly<Record<string, unknown>>

/** Lines of the days before belong to no trace: the traces of those days have ids of their own. */
export async function sendLogs(recorded: readonly Recorded[], dsn: string): Promise<void> {
  const lines = recorded.flatMap(linesOf)
  if (lines.length === 0) return
  const nowMs = Date.now()
  let taken = 0
  const moved = Array.from({ length: HOURS }, (_, back) => {
    const startMs = nowMs - (back + 1) * HOUR_MS
    const count = BY_HOUR[new Date(startMs).getHours()] ?? 1
    return Array.from({ length: count }, (_unused, at) => {
      const { trace_id: _trace, span_id: _span, ...line } = lines[taken++ % lines.length] ?? {}
      return { ...line, timestamp: (startMs + ((at + 0.5) / count) * HOUR_MS) / 1000 }
    })
  }).flat()
  for (let first = 0; first < moved.length; first += AN_ITEM) {
    const items = moved.slice(first, first + AN_ITEM)
    const header = {
      type: 'log',
      item_count: items.length,
      content_type: 'application/vnd.sentry.items.log+json',
    }
    await sendItems(dsn, [[header, { items }]])
  }
}

function linesOf({ body, contentEncoding }: Recorded): readonly Line[] {
  try {
    const { items } = parseEnvelope(contentEncoding === 'gzip' ? gunzipSync(body) : body)
    return items
      .filter(({ header }) => header.type === 'log')
      .flatMap(({ payload }) => {
        const { items: lines } = JSON.parse(Buffer.from(payload).toString('utf8')) as { items?: Line[] }
        return lines ?? []
      })
  } catch {
    return []
  }
}
