/** Tries rules or a version as they stand in the form, saved or not, on events that are stored. Writes nothing. */
import type { Grant } from '@sonde/access'
import { InvalidInput } from '@sonde/commands'
import { parseFingerprintRules, parseStackRules, type RuleProblem } from '@sonde/protocol/grouping-rules'
import { groupingTrial, projectSettings } from '@sonde/queries'
import { notFound } from '@sonde/router/server'
import { GROUPING_VERSIONS, type GroupingRules } from '@sonde/stores'
import type { PostedFields } from '../../../../../parts/forms/posted-fields.ts'
import type { AppContext } from '../../../../../server/app-context.server.ts'
import { addPage, MAX_TRIED_EVENTS, type TrialPage } from './trial-summary.ts'

type Context = Pick<AppContext, 'queries' | 'groupStored'>
type Writer = Grant<'project:write', 'project'>

/** One page of it, for a script that shows how far it is. Throws `InvalidInput` for rules that cannot be read. */
export async function tryPage(
  { queries, groupStored }: Context,
  grant: Writer,
  posted: PostedFields,
): Promise<TrialPage> {
  const rules = await triedRules({ queries }, grant, posted)
  const cursor = posted.text('cursor')
  const trial = await groupingTrial(queries, grant, groupStored, rules, cursor === '' ? undefined : cursor)
  return { ...trial, keepsIssues: rules.before.version !== rules.now.version }
}

// Who has no scripts waits for all of it at once.
const MAX_WAIT_MS = 5_000

export async function tryAll(context: Context, grant: Writer, posted: PostedFields): Promise<TrialPage> {
  const rules = await triedRules(context, grant, posted)
  const keepsIssues = rules.before.version !== rules.now.version
  const endMs = performance.now() + MAX_WAIT_MS
  let all: TrialPage | undefined
  do {
    const page = await groupingTrial(context.queries, grant, context.groupStored, rules, all?.next)
    all = addPage(all, { ...page, keepsIssues })
  } while (all.next !== undefined && all.events.length < MAX_TRIED_EVENTS && performance.now() < endMs)
  return all
}

async function triedRules(
  { queries }: Pick<AppContext, 'queries'>,
  grant: Writer,
  posted: PostedFields,
): Promise<{ readonly before: GroupingRules; readonly now: GroupingRules }> {
  const before = (await projectSettings(queries, grant))?.grouping
  if (!before) return notFound()
  const version = GROUPING_VERSIONS.find((each) => each === posted.text('version'))
  if (posted.text('form') === 'grouping-version')
    return { before, now: { ...before, version: version ?? before.version } }
  const [fingerprintRules, stackRules] = [posted.text('fingerprintRules'), posted.text('stackRules')]
  const fields = {
    ...told('fingerprintRules', parseFingerprintRules(fingerprintRules.replaceAll('\r\n', '\n')).problems),
    ...told('stackRules', parseStackRules(stackRules.replaceAll('\r\n', '\n')).problems),
  }
  if (Object.keys(fields).length > 0) throw new InvalidInput('try the grouping rules', fields)
  return { before, now: { ...before, fingerprintRules, stackRules } }
}

const told = (field: string, problems: readonly RuleProblem[]) =>
  problems.length === 0
    ? {}
    : { [field]: problems.map(({ line, column, message }) => `Line ${line}, column ${column}: ${message}`) }
