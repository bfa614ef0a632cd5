/** How the events of a project become issues: its rules, and the version of grouping. */

/** Each is frozen once it was released: docs/internals/grouping.md. */
export const GROUPING_VERSIONS = ['v1', 'v2', 'v3', 'v4'] as const
export type GroupingVersion = (typeof GROUPING_VERSIONS)[number]

export type GroupingRules = {
  /** In Sentry's format, as people wrote it: comments are kept. */
  readonly fingerprintRules: string
  readonly stackRules: string
  readonly version: GroupingVersion
  /** The version before a move: its hashes lead to issues too, for events that arrive until then. Null: nobody moved. */
  readonly previous: { readonly version: GroupingVersion; readonly untilMs: number } | null
}

export const DEFAULT_GROUPING: GroupingRules = {
  fingerprintRules: '',
  stackRules: '',
  version: 'v1',
  previous: null,
}

/** From JSON. Never throws: what makes no sense is as by default. */
export function groupingRulesFrom(stored: unknown): GroupingRules {
  const { fingerprintRules, stackRules, version, previous } = fieldsOf(stored)
  const { version: before, untilMs } = fieldsOf(previous)
  const previousVersion = versionOf(before)
  return {
    fingerprintRules: typeof fingerprintRules === 'string' ? fingerprintRules : '',
    stackRules: typeof stackRules === 'string' ? stackRules : '',
    version: versionOf(version) ?? DEFAULT_GROUPING.version,
    previous: previousVersion && typeof untilMs === 'number' ? { version: previousVersion, untilMs } : null,
  }
}

const versionOf = (value: unknown): GroupingVersion | undefined =>
  GROUPING_VERSIONS.find((version) => version === value)

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
