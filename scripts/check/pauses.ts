/**
 * A test waits for what it needs, not for a time in which that usually happens: on a busy machine it does not. Pauses within
 * a loop ask again and again and are fine; every other is listed with its reason.
 */
import { parseAst } from 'rolldown/parseAst'

const TESTS = /^(?:tests|packages\/[^/]+\/test)\//

/** File → why time itself has to pass in it. */
export const PAUSES: Readonly<Record<string, string>> = {
  'packages/alerts/test/idle.test.ts':
    'jobs that do nothing tell nobody; a pause that is too short can only pass',
  'tests/compat/browser/page/main.ts':
    'the browser reports stray errors in tasks of its own, which tell nobody',
  'tests/compat/bad-input.test.ts':
    'a page without scripts tells of no failed image; a pause that is too short can only pass',
  'tests/compat/node/profiles.ts': 'the profiler ends its chunk in a task of its own, which tells nobody',
  'tests/compat/replay/page/main.ts':
    'the SDK sends what it buffered in a task of its own, which tells nobody',
  'tests/compat/replay.test.ts': 'the SDK waits seven seconds before it calls a click dead, and tells nobody',
  'tests/browser/navigation/prefetches.test.ts':
    'the browser tells of what it fetched ahead in a task of its own, and of a speculation to nobody',
  'tests/crash/system-kill-kinds.test.ts':
    'kills come at other moments: the time before them is what is tried',
  'tests/crash/log-kill.test.ts':
    'kills come at other moments each time: the time before them is what is tried',
  'packages/log/test/embedded/failing-disk.ts': 'a disk that is slow has to be that slow',
  'tests/load/connections.ts': 'connections that do nothing do it for as long as they are told',
  'tests/engines/s3-failures.test.ts': 'a reader that is slower than a limit has to be that slow',
  'tests/crash/upgrade/make-data-folder.ts':
    'jobs of an earlier version tell nobody when they have run; it is no test',
  'tests/e2e/docs-screens.ts': 'makes pictures of pages whose charts move; it is no test',
  'packages/queries/test/sql/long-statements.test.ts':
    'a store is closed in the midst of a statement, which tells nobody how far it is',
  'packages/ingest/test/endpoints/worst-requests.test.ts': 'the monitor of the event loop looks every 10 ms',
}

/** `files`: path from the root → text. */
export function checkPauses(
  files: ReadonlyMap<string, string>,
  allowed: Readonly<Record<string, string>> = PAUSES,
): string[] {
  const problems: string[] = []
  const unused = new Set(Object.keys(allowed))
  for (const [path, text] of files) {
    if (!TESTS.test(path) || !/sleep|wait|setTimeout/i.test(text)) continue
    const lines = pausesIn(path, text)
    if (lines.length > 0 && unused.delete(path)) continue
    for (const line of lines)
      problems.push(
        `${path}:${line} pauses for a fixed time: wait for what has to happen, or list it in PAUSES`,
      )
  }
  for (const path of unused) problems.push(`${path} has no pause now: take it out of PAUSES`)
  return problems
}

type Node = {
  readonly type: string
  readonly start: number
  readonly name?: string
  readonly callee?: Node
  readonly property?: Node
  readonly arguments?: readonly Node[]
  readonly params?: readonly Node[]
  readonly source?: { readonly value: string }
  readonly specifiers?: readonly { readonly imported?: Node; readonly local: Node }[]
}

function pausesIn(path: string, text: string): number[] {
  const lines: number[] = []
  const sleeps = new Set<string>()
  visit(parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }, path), [], (node, above) => {
    if (node.type === 'ImportDeclaration' && /^(?:node:)?timers\/promises$/.test(node.source?.value ?? ''))
      for (const { imported, local } of node.specifiers ?? [])
        if (imported?.name === 'setTimeout') sleeps.add(local.name ?? '')
    if (isPause(node, above, sleeps) && !isInLoop(above))
      lines.push(text.slice(0, node.start).split('\n').length)
  })
  return lines
}

/** `sleep(5)` of Node's timers, `page.waitForTimeout(5)`, `new Promise((resolve) => setTimeout(resolve, 5))`. */
function isPause(
  { type, callee, arguments: given = [] }: Node,
  above: readonly Node[],
  sleeps: ReadonlySet<string>,
): boolean {
  if (type !== 'CallExpression') return false
  if (callee?.type === 'MemberExpression') return callee.property?.name === 'waitForTimeout'
  const name = callee?.name ?? ''
  if (sleeps.has(name)) return given.length > 0
  return (
    name === 'setTimeout' && given.length > 1 && given[0]?.type === 'Identifier' && isGiven(given[0], above)
  )
}

/** It is what the promise around it gave its function. */
const isGiven = ({ name }: Node, above: readonly Node[]): boolean =>
  above.some((node, at) => isPromiseRun(above, at) && node.params?.[0]?.name === name)

const isFunction = ({ type }: Node): boolean =>
  ['ArrowFunctionExpression', 'FunctionExpression', 'FunctionDeclaration'].includes(type)

/** `above`: outermost first. */
const isPromiseRun = (above: readonly Node[], at: number): boolean =>
  isFunction(above[at]!) && above[at - 1]?.type === 'NewExpression'

/** Within the same function; that of a promise belongs to the one around it. */
function isInLoop(above: readonly Node[]): boolean {
  for (let at = above.length - 1; at >= 0; at--) {
    if (/^(?:For|While|DoWhile)/.test(above[at]!.type)) return true
    if (isFunction(above[at]!) && !isPromiseRun(above, at)) return false
  }
  return false
}

function visit(
  value: unknown,
  above: readonly Node[],
  see: (node: Node, above: readonly Node[]) => void,
): void {
  if (Array.isArray(value)) for (const each of value) visit(each, above, see)
  else if (typeof value === 'object' && value !== null) {
    const isNode = 'type' in value
    if (isNode) see(value as Node, above)
    const within = isNode ? [...above, value as Node] : above
    for (const each of Object.values(value)) visit(each, within, see)
  }
}
