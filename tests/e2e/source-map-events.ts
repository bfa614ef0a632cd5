/** Errors of a build that really ran: minified frames and debug ids as an SDK in a page sends them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { newEventId, type SentEvent } from './screens-events.ts'

export const SCRIPT_URL = 'https://shop.example/assets/main.js'

type Page = { checkout?: () => number; _sentryDebugIds?: Readonly<Record<string, string>> }

/** What `checkout()` of the build in `folder` throws. */
export function crashOf(
  folder: string,
  fields: { readonly release?: string; readonly dist?: string; readonly atMs?: number } = {},
): SentEvent {
  const page: Page = {}
  runInNewContext(readFileSync(join(folder, 'main.js'), 'utf8'), page, { filename: SCRIPT_URL })
  const { atMs = Date.now(), ...rest } = fields
  const images = Object.values(page['_sentryDebugIds'] ?? {}).map((id) => ({
    type: 'sourcemap',
    code_file: SCRIPT_URL,
    debug_id: id,
  }))
  return {
    event_id: newEventId(),
    platform: 'javascript',
    timestamp: atMs / 1000,
    ...rest,
    ...(images.length > 0 ? { debug_meta: { images } } : {}),
    exception: {
      values: [
        {
          type: 'Error',
          value: 'no total in the cart',
          mechanism: { type: 'onerror', handled: false },
          stacktrace: { frames: thrownFrames(page) },
        },
      ],
    },
  }
}

const FRAME = /^\s*at (?:(.+?) \()?(https:\S+):(\d+):(\d+)\)?$/

/** Oldest call first, as SDKs send them. */
function thrownFrames(page: Page): object[] {
  try {
    page.checkout?.()
  } catch (error) {
    const lines = String((error as Error).stack).split('\n')
    const frames = lines.flatMap((line) => {
      const [, name = '?', filename, lineno, colno] = FRAME.exec(line) ?? []
      if (filename === undefined) return []
      return [
        {
          function: name,
          filename,
          abs_path: filename,
          lineno: Number(lineno),
          colno: Number(colno),
          in_app: true,
        },
      ]
    })
    if (frames.length > 0) return frames.toReversed()
  }
  throw new Error('the build did not throw as it should')
}
