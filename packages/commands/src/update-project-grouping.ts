/** A project's rules of grouping, and the move to another version of it. In force for new events within about a second. */
import type { Grant } from '@sonde/access'
import { parseFingerprintRules, parseStackRules, type RuleProblem } from '@sonde/protocol/grouping-rules'
import { GROUPING_VERSIONS, type GroupingRules, type GroupingVersion } from '@sonde/stores'
import { z } from 'zod'
import type { CommandDeps } from './command-deps.ts'
import { InvalidInput, readInput } from './fields.ts'
import { changeSettings } from './update-project-settings.ts'

/** What is left out stays as it is. */
export type GroupingRulesInput = Partial<Pick<GroupingRules, 'fingerprintRules' | 'stackRules'>>

const MAX_TEXT = 200_000
const text = z.string().max(MAX_TEXT, `has at most ${MAX_TEXT} characters`).optional()
const RULES = z.object({ fingerprintRules: text, stackRules: text })

/**
 * Replaces a text of rules, in Sentry's format. Throws `InvalidInput` with a message for each line that cannot be read,
 * beside `fingerprintRules` or `stackRules`.
 */
export async function updateGroupingRules(
  deps: CommandDeps,
  grant: Grant<'project:write', 'project'>,
  input: GroupingRulesInput,
): Promise<void> {
  const operation = 'change the grouping rules'
  const given = readInput(operation, RULES, input)
  const fields = {
    ...refused('fingerprintRules', given.fingerprintRules, parseFingerprintRules),
    ...refused('stackRules', given.stackRules, parseStackRules),
  }
  if (Object.keys(fields).length > 0) throw new InvalidInput(operation, fields)
  await changeSettings(deps, grant, 'project.grouping-rules', (settings) => ({
    ...settings,
    grouping: {
      ...settings.grouping,
      ...(given.fingerprintRules !== undefined && { fingerprintRules: plain(given.fingerprintRules) }),
      ...(given.stackRules !== undefined && { stackRules: plain(given.stackRules) }),
    },
  }))
}

/** Forms post `\r\n`. */
const plain = (rules: string): string => rules.replaceAll('\r\n', '\n').trimEnd()

function refused(
  field: string,
  rules: string | undefined,
  parse: (text: string) => { readonly problems: readonly RuleProblem[] },
): Readonly<Record<string, readonly string[]>> {
  const problems = rules === undefined ? [] : parse(plain(rules)).problems
  if (problems.length === 0) return {}
  return {
    [field]: problems.map(({ line, column, message }) => `Line ${line}, column ${column}: ${message}`),
  }
}

const VERSION = z.object({ version: z.enum(GROUPING_VERSIONS) })
const DAY_MS = 86_400_000
/** So long the version before a move finds issues too. */
export const GROUPING_MOVE_DAYS = 30

/**
 * New events are grouped by this version; for 30 days issues are found by the one before too. The way back is the same
 * move. Without effect where it is the version already. Throws `InvalidInput`.
 */
export async function moveGrouping(
  deps: CommandDeps,
  grant: Grant<'project:write', 'project'>,
  input: { readonly version: GroupingVersion },
): Promise<void> {
  const { version } = readInput('change the grouping version', VERSION, input)
  const untilMs = deps.clock.nowMs() + GROUPING_MOVE_DAYS * DAY_MS
  await changeSettings(deps, grant, 'project.grouping-version', (settings) => {
    const { grouping } = settings
    if (grouping.version === version) return settings
    return {
      ...settings,
      grouping: { ...grouping, version, previous: { version: grouping.version, untilMs } },
    }
  })
}
