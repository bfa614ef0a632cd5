/**
 * Rules about the frames of a stack trace (Sentry: grouping enhancements), one a line: matchers, then actions.
 * `[ matcher ] | matcher … | [ matcher ]` names the frames that call and are called.
 * https://docs.sentry.io/concepts/data-management/event-grouping/stack-trace-rules/
 */
import { MAX_RULE_TEXT_CHARS } from './fingerprint-rules.ts'
import { parseLines, readMatcher, type RuleMatcher, type RuleProblem, type Scan, short } from './scan-line.ts'

const MAX_STACK_RULES = 500
const MAX_MATCHERS = 20
const MAX_ACTIONS = 10
const MAX_FRAME_LIMIT = 1_000

const ALIASES = {
  family: [],
  app: [],
  'stack.abs_path': ['path'],
  'stack.module': ['module'],
  'stack.function': ['function'],
  'stack.package': ['package'],
  'error.type': ['type'],
  'error.value': ['value'],
  'error.mechanism': ['mechanism'],
} as const
export type StackMatcherName = keyof typeof ALIASES

const NAMES = new Map<string, StackMatcherName>(
  Object.entries(ALIASES).flatMap(([name, aliases]) =>
    [name, ...aliases].map((written) => [written, name as StackMatcherName] as const),
  ),
)

export type StackMatcher = RuleMatcher<StackMatcherName>
export type StackAction =
  | {
      readonly kind: 'app' | 'group'
      readonly isSet: boolean
      /** `above`: the frames towards the crash; `below`: those away from it; neither holds the frame itself. */
      readonly frames: 'this' | 'above' | 'below'
    }
  | { readonly kind: 'max-frames' | 'min-frames'; readonly count: number }

export type StackRule = {
  /** From 1. */
  readonly line: number
  /** As it was written. */
  readonly text: string
  /** Of the frame that called; empty: any, also none. */
  readonly caller: readonly StackMatcher[]
  /** At least one. */
  readonly matchers: readonly StackMatcher[]
  /** Of the frame that was called. */
  readonly callee: readonly StackMatcher[]
  /** At least one. */
  readonly actions: readonly StackAction[]
}
export type StackRules = { readonly rules: readonly StackRule[]; readonly problems: readonly RuleProblem[] }

/** Never throws. Linear in the text, which is at most `MAX_RULE_TEXT_CHARS` long. */
export function parseStackRules(text: string): StackRules {
  return parseLines(text, { maxRules: MAX_STACK_RULES, maxChars: MAX_RULE_TEXT_CHARS }, parseRule)
}

function parseRule(scan: Scan, line: number): StackRule {
  scan.skipSpaces()
  let caller: readonly StackMatcher[] = []
  if (scan.looksAt('[')) {
    caller = readSibling(scan)
    scan.skipSpaces()
    if (!scan.take('|')) scan.fail('a | is expected between the frame that calls and the frame of the rule')
  }
  const matchers: StackMatcher[] = []
  for (scan.skipSpaces(); isMatcher(scan); scan.skipSpaces())
    matchers.push(readOne(scan, matchers.length, ' \t'))
  if (matchers.length === 0) scan.fail('a rule begins with a matcher: name:pattern')
  let callee: readonly StackMatcher[] = []
  if (scan.take('|')) {
    scan.skipSpaces()
    callee = readSibling(scan)
  }
  return { line, text: scan.text.trim(), caller, matchers, callee, actions: readActions(scan) }
}

const readOne = (scan: Scan, before: number, stops: string): StackMatcher => {
  if (before >= MAX_MATCHERS) scan.fail(`a rule has at most ${MAX_MATCHERS} matchers`)
  return readMatcher(
    scan,
    { nameOf: (written) => NAMES.get(written), refusal, known: Object.keys(ALIASES).join(', ') },
    stops,
  )
}

/** `[ matchers ]`. A pattern with a `]` in it stands in quotation marks there. */
function readSibling(scan: Scan): readonly StackMatcher[] {
  const start = scan.at()
  if (!scan.take('[')) scan.fail('the frame beside stands in brackets: [ name:pattern ]')
  const matchers: StackMatcher[] = []
  for (;;) {
    scan.skipSpaces()
    if (scan.isEnd()) scan.fail('this [ has no ]', start)
    if (scan.take(']')) break
    matchers.push(readOne(scan, matchers.length, ' \t]'))
  }
  if (matchers.length === 0) scan.fail('a matcher is expected in the brackets', start)
  return matchers
}

/** A colon comes before the next space. */
function isMatcher(scan: Scan): boolean {
  if (scan.isEnd() || scan.looksAt('|')) return false
  const rest = scan.text.slice(scan.at())
  const end = rest.search(/[\s:="]/)
  return end >= 0 && rest[end] === ':'
}

const ACTIONS = '+app, -app, +group, -group, each also with ^ or v before it, max-frames=N, min-frames=N'

function readActions(scan: Scan): readonly StackAction[] {
  const actions: StackAction[] = []
  for (scan.skipSpaces(); !scan.isEnd(); scan.skipSpaces()) {
    if (actions.length >= MAX_ACTIONS) scan.fail(`a rule has at most ${MAX_ACTIONS} actions`)
    if (isMatcher(scan)) scan.fail('matchers stand before the actions')
    actions.push(readAction(scan))
  }
  if (actions.length === 0) scan.fail(`an action is missing. There are: ${ACTIONS}`)
  return actions
}

const SIGNS = { '^': 'above', v: 'below' } as const

function readAction(scan: Scan): StackAction {
  const at = scan.at()
  const written = scan.word(' \t')
  const limit = /^(max-frames|min-frames)=(\d{1,6})$/.exec(written)
  if (limit) {
    const count = Number(limit[2])
    if (count > MAX_FRAME_LIMIT) scan.fail(`${limit[1]} is at most ${MAX_FRAME_LIMIT}`, at)
    return { kind: limit[1] as 'max-frames' | 'min-frames', count }
  }
  const flag = /^([\^v]?)([+-])(app|group)$/.exec(written)
  if (flag) {
    const sign = flag[1] as '' | '^' | 'v'
    return {
      kind: flag[3] as 'app' | 'group',
      isSet: flag[2] === '+',
      frames: sign === '' ? 'this' : SIGNS[sign],
    }
  }
  if (written.startsWith('category='))
    scan.fail('category=… is not supported: nothing here depends on categories', at)
  if (written.startsWith('invert-stacktrace='))
    scan.fail('invert-stacktrace=… is not supported: frames are always read from the crash', at)
  if (/^[\^v]?[+-](?:sentinel|prefix)$/.test(written))
    scan.fail('sentinel and prefix frames are not supported; use +group and -group', at)
  return scan.fail(`there is no action ${short(written)}. There are: ${ACTIONS}`, at)
}

function refusal(written: string): string | undefined {
  if (written === 'category')
    return 'category is not supported; match by stack.package, stack.module or stack.function'
  if (/^(?:message|logger|level|release|sdk|tags\.)/.test(written))
    return `${short(written)} is a matcher of fingerprint rules: stack-trace rules see frames and their error alone`
  return undefined
}
