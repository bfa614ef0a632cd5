/**
 * Reads `error.stack` as Chromium, Firefox and Safari write it. There is no standard; what browsers do today:
 * https://github.com/tc39/proposal-error-stacks
 */

export type Frame = {
  filename: string
  function: string
  lineno?: number
  colno?: number
  in_app: boolean
}

// Deeper ones are recursion; the server keeps 250, and its grouping looks at fewer.
const MAX_FRAMES = 50
// `at fn (place)`, `at place`, `at async fn (place)`, `at new Thing (place)`
const CHROMIUM = /^\s*at (?:async )?(?:(.+?) ?\((.*)\)|(.+))$/
// `fn@place`, `@place`, `async*fn@place`, `[native code]`; a URL may hold `@` itself
const GECKO = /^(?:([^@]*(?:@(?!\w+:|\/|\[native)[^@]*)*)@)?(.*(?::\/\/|:\d|\[native|\.js).*)$/

/** Oldest call first, as the protocol wants it. `skip` leaves out the newest. */
export function parseStack(stack: string, skip = 0): Frame[] {
  const frames: Frame[] = []
  for (const line of stack.split('\n')) {
    const frame = line.length < 1024 ? parseLine(line) : undefined
    if (frame && --skip < 0) frames.push(frame)
    if (frames.length >= MAX_FRAMES) break
  }
  return frames.reverse()
}

function parseLine(line: string): Frame | undefined {
  const chromium = CHROMIUM.exec(line)
  const [, name, place] = chromium
    ? [, chromium[1], chromium[2] ?? chromium[3]]
    : (GECKO.exec(line.trim()) ?? [])
  if (!place) return undefined
  return { function: name || '?', ...parsePlace(place), in_app: true }
}

function parsePlace(place: string): Pick<Frame, 'filename' | 'lineno' | 'colno'> {
  const [, filename = place, lineno, colno] = /^(.*?)(?::(\d+))?(?::(\d+))?$/.exec(place) ?? []
  return { filename, ...(lineno && { lineno: +lineno }), ...(colno && { colno: +colno }) }
}
