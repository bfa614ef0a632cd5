import { type SamplingRule, samplingRuleName } from '@sonde/stores'
import { createGlob, type Glob } from '../stages/glob.ts'

/** What rules look at: the root of a trace's part. Empty where nobody said. */
export type Root = Readonly<Record<(typeof LOOKED_AT)[number], string>>
const LOOKED_AT = ['route', 'op', 'release', 'environment'] as const

export type ReadyRule = {
  readonly name: string
  readonly rate: number
  readonly matches: (root: Root) => boolean
}

/** The first that matches; undefined: the root is kept. */
export function findRule(rules: readonly SamplingRule[], root: Root): ReadyRule | undefined {
  return readyRules(rules).find((rule) => rule.matches(root))
}

// Per list: a project's settings are read once and held against thousands of roots.
const readyByList = new WeakMap<readonly SamplingRule[], readonly ReadyRule[]>()

function readyRules(rules: readonly SamplingRule[]): readonly ReadyRule[] {
  const known = readyByList.get(rules)
  if (known) return known
  const ready = rules.map(readyRule)
  readyByList.set(rules, ready)
  return ready
}

function readyRule(rule: SamplingRule): ReadyRule {
  const wanted = LOOKED_AT.flatMap((field): (readonly [keyof Root, Glob])[] =>
    rule[field] === '' ? [] : [[field, createGlob(rule[field])]],
  )
  return {
    name: samplingRuleName(rule),
    rate: rule.rate,
    matches: (root) => wanted.every(([field, matches]) => matches(root[field])),
  }
}
