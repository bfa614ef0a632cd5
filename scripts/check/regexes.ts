/**
 * Fails on regular expressions whose time grows faster than the text they look at: a stranger who sends the text decides
 * then how long everybody waits. Judged by recheck; why by that, and what it cannot see: docs/decisions/0022.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { check } from 'recheck'
import recheckPackage from 'recheck/package.json' with { type: 'json' }
import { findRegexes, type FoundRegex } from './find-regexes.ts'
import { ALLOWED, type Allowed, BUILT } from './regexes-allowed.ts'
import { sourceFiles } from './sources.ts'

/** What the command line reads belongs to whoever runs it. */
const OWN_FILES = 'packages/server/src/cli/'
const SOURCES = /^packages\/[^/]+\/src\//
const JUDGED_AT_ONCE = 2
// The largest takes ten seconds on a busy machine. What is not judged by then must be allowed by a person.
const JUDGED_WITHIN_MS = 60_000

/** Undefined: takes linear time. Else what is wrong with it. */
export type Judge = (regex: Pick<FoundRegex, 'source' | 'flags'>) => Promise<string | undefined>
export type Source = { readonly path: string; readonly text: string }

export async function checkRegexes(
  sources: readonly Source[],
  judge: Judge,
  allowed: readonly Allowed[] = ALLOWED,
  built: Readonly<Record<string, string>> = BUILT,
): Promise<string[]> {
  const problems: string[] = []
  const found = sources.map(({ path, text }) => findRegexes(path, text))
  const unusedBuilt = new Set(Object.keys(built))
  for (const { path, line, code } of found.flatMap((file) => file.built)) {
    unusedBuilt.delete(path)
    if (built[path] === undefined)
      problems.push(
        `${path}:${line}: ${code.slice(0, 60)} is made of what nobody has checked; say why in BUILT`,
      )
  }
  const unused = new Set(allowed.flatMap((entry) => entry.regexes))
  const open = new Map<string, FoundRegex[]>()
  for (const regex of found.flatMap((file) => file.literal)) {
    const text = textOf(regex)
    if (isAllowed(regex.path, text, allowed)) unused.delete(text)
    else open.set(text, [...(open.get(text) ?? []), regex])
  }
  const waiting = [...open.values()]
  const work = async (): Promise<void> => {
    for (let uses = waiting.pop(); uses; uses = waiting.pop()) {
      const [first] = uses
      const problem = first && (await judge(first))
      if (problem === undefined) continue
      for (const use of uses) problems.push(`${use.path}:${use.line}: ${textOf(use)} ${problem}`)
    }
  }
  await Promise.all(Array.from({ length: JUDGED_AT_ONCE }, work))
  for (const text of unused) problems.push(`ALLOWED has ${text}, which is nowhere in its files`)
  for (const path of unusedBuilt) problems.push(`BUILT has ${path}, which makes no expression`)
  return problems.toSorted()
}

const textOf = ({ source, flags }: Pick<FoundRegex, 'source' | 'flags'>): string => `/${source}/${flags}`

const isAllowed = (path: string, text: string, allowed: readonly Allowed[]): boolean =>
  allowed.some(
    ({ paths, regexes }) =>
      regexes.includes(text) &&
      paths.some((own) => (own.endsWith('/') ? path.startsWith(own) : path === own)),
  )

/**
 * Whether its shape alone shows that it takes linear time, which recheck needs a tenth of a second to say: without repetition
 * each start of a match is looked at for a bounded number of steps; bound to the start of the text, one repetition of one
 * character is walked once. More than half of our expressions are like this.
 */
export function isPlainlyLinear({ source, flags }: Pick<FoundRegex, 'source' | 'flags'>): boolean {
  // A class of flag v can hold classes, and texts.
  if (flags.includes('v')) return false
  const bare = source.replaceAll(/\\[^]/g, 'c').replaceAll(/\[[^\]]*\]/g, 'c')
  const repeated = [...bare.matchAll(/(.?)(?:[*+]|\{\d+(?:,\d*)?\})/g)]
  if (repeated.length === 0) return true
  const isBound = bare.startsWith('^') && !flags.includes('m') && !bare.includes('|')
  return isBound && repeated.length === 1 && repeated[0]?.[1] !== ')'
}

export const judgeByRecheck: Judge = async ({ source, flags }) => {
  if (isPlainlyLinear({ source, flags })) return undefined
  const judged = await check(source, flags, { timeout: JUDGED_WITHIN_MS })
  if (judged.status === 'safe') return undefined
  if (judged.status === 'unknown') return `could not be judged (${judged.error.kind})`
  if (judged.checker === 'fuzz' && !isSlow(new RegExp(source, flags), judged.attack)) return undefined
  return `takes ${judged.complexity.summary} time on ${judged.attack.pattern.slice(0, 80)}`
}

type Attack = {
  readonly pumps: readonly { readonly prefix: string; readonly pump: string }[]
  readonly suffix: string
}
const TRIED_CHARS = 100_000
// A linear expression takes some milliseconds for so many, a quadratic one some seconds.
const SLOW_AFTER_MS = 1_000

/**
 * Whether the text that recheck guessed really takes long. Where it guesses it counts steps up to a limit, and calls it
 * polynomial when a long text with a few steps for each character reaches that.
 */
export function isSlow(regex: RegExp, { pumps, suffix }: Attack): boolean {
  const chars = pumps.reduce((sum, { pump }) => sum + pump.length, 0)
  const times = Math.ceil(TRIED_CHARS / Math.max(1, chars))
  const text = pumps.map(({ prefix, pump }) => prefix + pump.repeat(times)).join('') + suffix
  try {
    runInNewContext('text.replace(regex, "")', { text, regex }, { timeout: SLOW_AFTER_MS })
    return false
  } catch {
    return true
  }
}

/** What was found harmless is not judged again: the same expression, by the same version, has the same answer. */
export function rememberingJudge(file: string, judge: Judge): Judge & { save(): void } {
  const harmless = new Set(readJson(file))
  const remembering: Judge = async (regex) => {
    const key = `${recheckPackage.version} ${textOf(regex)}`
    if (harmless.has(key)) return undefined
    const problem = await judge(regex)
    if (problem === undefined) harmless.add(key)
    return problem
  }
  const save = (): void => {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(`${file}.new`, JSON.stringify([...harmless], null, 1))
    renameSync(`${file}.new`, file)
  }
  return Object.assign(remembering, { save })
}

function readJson(file: string): string[] {
  try {
    const read: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return Array.isArray(read) ? (read as string[]) : []
  } catch {
    return []
  }
}

export async function checkAllRegexes(root: string): Promise<string[]> {
  const judge = rememberingJudge(join(root, '.cache', 'regexes.json'), judgeByRecheck)
  const paths = sourceFiles(root, 'packages').filter(
    (path) => SOURCES.test(path) && !path.startsWith(OWN_FILES),
  )
  const sources = paths.map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
  const problems = await checkRegexes(sources, judge)
  judge.save()
  return problems
}
