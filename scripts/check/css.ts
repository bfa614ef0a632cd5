/** Style sheets are source too: at most 500 lines, and a class is styled in one file, where a reader will look for it. */

const MAX_LINES = 500

/** Files from before that may be longer, and how long they are. They may only become shorter. */
export const LONG_STYLES: Readonly<Record<string, number>> = {
  'packages/web/src/parts/issue-list/issues.css': 507,
}
/** Classes from before that are styled in more than one file. The list may only become shorter. */
export const SHARED_CLASSES: readonly string[] = [
  'confirm',
  'exception-value',
  'key-values',
  'muted',
  'perf-bad',
  'perf-op',
  'phase-chunk',
  'phase-commit',
  'phase-data',
  'phase-intent',
  'phase-match',
  'phase-paint',
  'phase-settled',
  'setup-steps',
  'span-bar',
  'tag',
  'trace-facts',
]

const WEB = 'packages/web/src/'
/** The order of layers is that in which they are first named, on the whole page. */
const LAYERS = '@layer tokens, base, parts, screens;'

/** A sheet of the layout that is no part of the first one: it arrives before that. */
const isShell = (path: string, shared: string): boolean =>
  path.startsWith(`${WEB}shell/`) && !shared.includes(path.slice(`${WEB}shell/`.length))

/** `files`: path from the root → text. */
export function checkCss(
  files: ReadonlyMap<string, string>,
  longStyles: Readonly<Record<string, number>> = LONG_STYLES,
  sharedClasses: readonly string[] = SHARED_CLASSES,
): string[] {
  const problems: string[] = []
  const places = new Map<string, string[]>()
  const shared = files.get(`${WEB}styles/index.css`) ?? ''
  for (const [path, text] of files) {
    if (isShell(path, shared) && !text.startsWith(LAYERS))
      problems.push(`${path} comes before the other sheets: its first line is "${LAYERS}"`)
    const lines = text.split('\n').length
    const atMost = longStyles[path] ?? MAX_LINES
    if (lines > atMost) problems.push(`${path}: ${lines} lines (at most ${atMost})`)
    for (const name of classesOf(text)) places.set(name, [...(places.get(name) ?? []), path])
  }
  for (const path of Object.keys(longStyles))
    if ((files.get(path)?.split('\n').length ?? 0) <= MAX_LINES)
      problems.push(`${path} is not longer than ${MAX_LINES} lines now: take it out of LONG_STYLES`)
  for (const [name, sheets] of places)
    if (sheets.length > 1 && !sharedClasses.includes(name))
      problems.push(`.${name} is styled in ${sheets.join(' and ')}`)
  for (const name of sharedClasses)
    if ((places.get(name)?.length ?? 0) < 2)
      problems.push(`.${name} is styled in one file now: take it out of SHARED_CLASSES`)
  return problems
}

/**
 * Classes that a rule of this file styles by themselves. `.dialog .button` is the business of a dialog: it places a button.
 */
function classesOf(css: string): ReadonlySet<string> {
  const found = new Set<string>()
  const rules = css.replace(/\/\*[\s\S]*?\*\//g, '').matchAll(/([^{}]+)\{/g)
  for (const [, selectors = ''] of rules) {
    if (selectors.trim().startsWith('@')) continue
    for (const selector of selectors.split(',')) {
      const [first, ...more] = [...selector.matchAll(/\.([a-z][\w-]*)/gi)]
      if (first?.[1] && more.length === 0) found.add(first[1])
    }
  }
  return found
}
