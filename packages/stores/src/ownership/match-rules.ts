/** Which rules an event matches. Pure; each rule takes time linear in the event's paths. */
import { createGlob, type Glob } from '@sonde/protocol/glob'
import type { EventFacts } from './event-facts.ts'
import { codeownersGlobs } from './parse-codeowners.ts'
import type { OwnershipRule } from './parse-rules.ts'

/** Where a CODEOWNERS file's repository is in stack traces. */
export type CodeMapping = {
  readonly repository: string
  readonly stackRoot: string
  readonly sourceRoot: string
}

export type OwnershipSource = {
  readonly rules: readonly OwnershipRule[]
  /** Undefined: the project's own rules. */
  readonly mapping?: CodeMapping
}

export type RuleMatch = {
  readonly rule: OwnershipRule
  readonly mapping: CodeMapping | undefined
  /** What the rule found: a path as the rule sees it, a module, an address, a tag's value. */
  readonly matched: string
}

/** The rule that decides comes first: of rules the last in its text, and those of people before those of files. */
export type Matcher = (facts: EventFacts) => Iterable<RuleMatch>

/** `sources` in the order in which Sentry asks them: files first, the project's rules last. Make it once and keep it. */
export function createMatcher(sources: readonly OwnershipSource[]): Matcher {
  const tests = sources
    .flatMap(({ rules, mapping }) => rules.map((rule) => ({ rule, mapping, find: finderOf(rule) })))
    .toReversed()
  return function* matches(facts) {
    const paths = new Map<CodeMapping | undefined, readonly (readonly string[])[]>()
    for (const { rule, mapping, find } of tests) {
      let files = paths.get(mapping)
      if (!files) paths.set(mapping, (files = filesIn(facts, mapping)))
      const matched = find(facts, files)
      if (matched !== undefined) yield { rule, mapping, matched }
    }
  }
}

type Finder = (facts: EventFacts, files: readonly (readonly string[])[]) => string | undefined

function finderOf({ type, pattern, tag = '' }: OwnershipRule): Finder {
  if (type === 'codeowners') {
    const globs = codeownersGlobs(pattern).map((glob) => createGlob(glob, { folders: true }))
    return (_, files) => findFile(files, (path) => globs.some((matches) => matches(path)))
  }
  const matches = looseGlob(type === 'path' ? pattern.replaceAll('\\', '/') : pattern)
  if (type === 'path') return (_, files) => findFile(files, matches)
  if (type === 'module') return ({ modules }) => modules.find((module) => matches(module))
  if (type === 'url') return ({ url }) => (url !== '' && matches(url) ? url : undefined)
  return ({ tags }) => {
    const value = tagOf(tags, tag)
    return value !== undefined && matches(value) ? value : undefined
  }
}

/** `*` goes through folders here: `path:backend/*` is all below it, as in Sentry's own example. */
const looseGlob = (pattern: string): Glob => createGlob(pattern, { ignoreCase: true, sets: true })

const tagOf = (tags: EventFacts['tags'], name: string): string | undefined =>
  Object.hasOwn(tags, name) ? tags[name] : undefined

function findFile(files: readonly (readonly string[])[], matches: Glob): string | undefined {
  for (const forms of files) {
    const found = forms.find((path) => matches(path))
    if (found !== undefined) return found
  }
  return undefined
}

/** Paths as they are in the repository; of the project's own rules as they came. */
function filesIn({ files }: EventFacts, mapping: CodeMapping | undefined): readonly (readonly string[])[] {
  if (!mapping) return files
  return files.flatMap((forms) => {
    const path = repositoryPath(forms, mapping)
    return path === undefined ? [] : [[path]]
  })
}

/** The first form that begins with the stack's root, with the repository's instead. Undefined: it is another's file. */
export function repositoryPath(
  forms: readonly string[],
  { stackRoot, sourceRoot }: Pick<CodeMapping, 'stackRoot' | 'sourceRoot'>,
): string | undefined {
  const form = forms.find((path) => path.startsWith(stackRoot))
  if (form === undefined) return undefined
  const path = `${sourceRoot}${form.slice(stackRoot.length)}`
  return path.startsWith('/') ? path.slice(1) : path
}
