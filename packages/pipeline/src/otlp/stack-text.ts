/**
 * Stack traces as runtimes print them → frames, the oldest call first as Sentry's protocol has them: V8 and Gecko, Python, Java, Go.
 * Texts are strangers': lines and their number are bounded before any of them is looked at, and each is looked at once.
 */
export type TextFrame = {
  readonly filename?: string
  readonly abs_path?: string
  readonly module?: string
  readonly function?: string
  readonly lineno?: number
  readonly colno?: number
  readonly context_line?: string
  readonly in_app: boolean
}
/** `cause`: of Java, what it was caused by, with its frames. */
export type StackText = { readonly frames: readonly TextFrame[]; readonly causes: readonly StackCause[] }
export type StackCause = {
  readonly type: string
  readonly value: string
  readonly frames: readonly TextFrame[]
}

// As many frames as events keep, with a line of source for each.
const MAX_LINES = 500
const MAX_LINE = 1_000
const MAX_TEXT = 100_000
const MAX_CAUSES = 5

/** Undefined: none of the forms fits. */
export function readStackText(text: string): StackText | undefined {
  const lines = text
    .slice(0, MAX_TEXT)
    .split('\n', MAX_LINES)
    .map((line) => line.slice(0, MAX_LINE).trimEnd())
  for (const read of [pythonStack, javaStack, goStack, javascriptStack]) {
    const found = read(lines)
    if (found.frames.length > 0) return found
  }
  return undefined
}

const PYTHON = /^\s{0,8}File "([^"]+)", line (\d{1,9})(?:, in (.+))?$/

/** The oldest call first, as it is printed; of several tracebacks the last is of what was thrown. */
function pythonStack(lines: readonly string[]): StackText {
  let frames: TextFrame[] = []
  for (const [index, line] of lines.entries()) {
    if (line.startsWith('Traceback (most recent call last)')) frames = []
    const [, path = '', lineno = '', name = ''] = PYTHON.exec(line) ?? []
    if (path === '') continue
    const source = lines[index + 1] ?? ''
    const isSource = source.startsWith('    ') && !PYTHON.test(source)
    frames.push({
      filename: path,
      abs_path: path,
      lineno: Number(lineno),
      ...(name !== '' && { function: name }),
      ...(isSource && { context_line: source.trim() }),
      in_app: !/site-packages|dist-packages|\/lib\/python\d|^</.test(path),
    })
  }
  return { frames, causes: [] }
}

const JAVA = /^\s{0,16}at ([\w$.<>/@-]+)\.([\w$<>]+)\(([^():]{0,300})(?::(\d{1,9}))?\)/
const CAUSED = /^\s{0,16}Caused by: ([\w$.]+)(?:: (.*))?$/

function javaStack(lines: readonly string[]): StackText {
  const frames: TextFrame[] = []
  const causes: { type: string; value: string; frames: TextFrame[] }[] = []
  let into = frames
  for (const line of lines) {
    const [, type = '', value = ''] = CAUSED.exec(line) ?? []
    if (type !== '') {
      if (causes.length === MAX_CAUSES) break
      into = []
      causes.push({ type, value, frames: into })
      continue
    }
    const [, owner = '', name = '', file = '', lineno] = JAVA.exec(line) ?? []
    // What has no file name but an address is of JavaScript.
    if (owner === '' || /[/\\]/.test(file)) continue
    const module = owner.slice(owner.lastIndexOf('/') + 1)
    const isFile = file !== 'Native Method' && file !== 'Unknown Source' && file !== ''
    into.push({
      module,
      function: name,
      ...(isFile && { filename: file }),
      ...(lineno !== undefined && { lineno: Number(lineno) }),
      in_app: !/^(?:java|javax|jakarta|jdk|sun|com\.sun|kotlin|scala)\./.test(module),
    })
  }
  const isJava = frames.some(({ filename = '' }) => /\.(?:java|kt|scala|groovy|clj)$/.test(filename))
  if (!isJava) return { frames: [], causes: [] }
  return {
    frames: frames.toReversed(),
    causes: causes.map((each) => ({ ...each, frames: each.frames.toReversed() })),
  }
}

const GO_PLACE = /^\t(\/?[^\t:]{1,500}\.(?:go|s)):(\d{1,9})/
const GO_CALL = /^(?:created by )?([\w./*()%-]{1,400}?)(?:\([^()]*\))?(?: in goroutine \d{1,12})?$/

function goStack(lines: readonly string[]): StackText {
  const frames: TextFrame[] = []
  for (const [index, line] of lines.entries()) {
    const [, path = '', lineno = ''] = GO_PLACE.exec(line) ?? []
    const called = path === '' ? '' : (GO_CALL.exec(lines[index - 1] ?? '')?.[1] ?? '')
    if (path === '' || called === '') continue
    const dot = called.indexOf('.', called.lastIndexOf('/') + 1)
    frames.push({
      filename: path,
      abs_path: path,
      lineno: Number(lineno),
      ...(dot > 0 ? { module: called.slice(0, dot), function: called.slice(dot + 1) } : { function: called }),
      in_app: !/\/go\/(?:src|pkg\/mod)\/|\/vendor\//.test(path),
    })
  }
  return { frames: frames.toReversed(), causes: [] }
}

const V8 =
  /^\s{0,16}at (?:(.{1,300}?) \()?((?:[a-z][a-z+.-]{1,20}:|\/|[A-Z]:\\|\w|\.)[^()]{0,800}?):(\d{1,9}):(\d{1,9})\)?$/
const GECKO = /^([^@\s]{0,200})@([a-z][a-z+.-]{1,20}:\/\/[^\s]{1,700}):(\d{1,9}):(\d{1,9})$/

function javascriptStack(lines: readonly string[]): StackText {
  const frames = lines.flatMap((line): TextFrame[] => {
    const [, name = '', path = '', lineno = '', colno = ''] = V8.exec(line) ?? GECKO.exec(line) ?? []
    if (path === '') return []
    const called = name.replace(/^(?:async|new) /, '')
    return [
      {
        filename: path.replace(/^file:\/\//, ''),
        abs_path: path,
        ...(called !== '' && { function: called }),
        lineno: Number(lineno),
        colno: Number(colno),
        in_app: !/node_modules|^node:|^internal\//.test(path),
      },
    ]
  })
  return { frames: frames.toReversed(), causes: [] }
}
