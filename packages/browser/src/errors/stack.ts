/**
 * Reads `error.stack` as Chromium, Firefox and Safari write it. There is no standard; what browsers do today:
 * https://github.com/tc39/proposal-error-stacks
 */

export type Frame = {
  filename: string
  function?: string
  lineno?: number | undefined
  colno?: number | undefined
  in_app: boolean
}

// Deeper ones are recursion; the server keeps 250, and its grouping looks at fewer.
const MAX_FRAMES = 50
const CHROMIUM = /^ *at /m
const GECKO = /@|:\/\/|\[nat/
// `at fn (place:1:2)`, `at place:1:2`, `fn@place:1:2`, `@place:1:2`, `place:1:2`; the place may hold `@` itself
const FRAME = /^ *(?:at (?:async )?(?:(.+?) \()?|(?!\w+:\/\/)(.*?)@)?(.+?)(?::(\d+))?(?::(\d+))?\)?$/
// Where the text that is run stands: `eval at fn (place:1:2), <anonymous>` and `place line 1 > eval`
const EVAL = /^eval .*?([^ (]+?):(\d+):(\d+)\)+,|^(.+?) line (\d+) > /

/** Oldest call first, as the protocol wants it. `skip` leaves out the newest. */
export function parseStack(stack: string, skip = 0): Frame[] {
  const frames: Frame[] = []
  // Chromium begins with the message, which may look like anything.
  const isFrame = CHROMIUM.test(stack) ? CHROMIUM : GECKO
  for (const line of stack.split('\n')) {
    // Longer lines are data URLs, at which the expressions would take long.
    if (line.length > 999 || !isFrame.test(line) || --skip >= 0 || frames.length >= MAX_FRAMES) continue
    let [, chromiumName, geckoName, filename = '', lineno, colno] = FRAME.exec(line) ?? []
    const [, outer, outerLine, outerColumn, outerGecko, outerGeckoLine] = EVAL.exec(filename) ?? []
    if (outer || outerGecko) {
      filename = (outer ?? outerGecko)!
      lineno = outerLine ?? outerGeckoLine
      colno = outerColumn
    }
    frames.unshift({
      filename,
      function: chromiumName || geckoName || '?',
      lineno: +lineno! || undefined,
      colno: +colno! || undefined,
      // `<anonymous>`, `[native code]`, `index 0`
      in_app: filename.includes(':'),
    })
  }
  return frames
}

type Registry = Readonly<Record<string, string>> | undefined

/**
 * Debug ids by the address of the file. Bundler plugins register each under a stack that was taken in the file:
 * https://develop.sentry.dev/sdk/data-model/event-payloads/debugmeta/#debug-images
 */
export function debugIds(): Record<string, string> {
  const { _sentryDebugIds, _debugIds } = globalThis as { _sentryDebugIds?: Registry; _debugIds?: Registry }
  const registry = { ..._sentryDebugIds, ..._debugIds }
  const ids: Record<string, string> = {}
  for (const stack in registry)
    // The newest call is the one that registered.
    for (const { filename } of parseStack(stack).slice(-1)) ids[filename] = registry[stack]!
  return ids
}

/** Images for the files that occur in the stacks. */
export function debugImages(exceptions: readonly object[]): object[] {
  // As the whole of a text: a file that is the whole message of an error does no harm.
  const text = JSON.stringify(exceptions)
  const ids = debugIds()
  return Object.keys(ids)
    .filter((file) => text.includes(`"${file}"`))
    .map((file) => ({ type: 'sourcemap', code_file: file, debug_id: ids[file] }))
}
