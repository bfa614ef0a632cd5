/**
 * The issues of a project: their events go through Sonde's own door, and what was said of the issue is said of the one that they
 * came into. Grouping is ours, so one issue there may be several here, and several may be one: both are told.
 */
import type { CommandDeps } from '@sonde/commands'
import type { ImportJournal, Outcome } from './import-journal.ts'
import type { ImportTarget } from './import-target.ts'
import type { ForeignComment, ForeignIssue, ForeignProject, ImportSource, Missing } from './source.ts'
import { addComments, applyState } from './write-records.ts'

export type ImportIssues = {
  readonly source: ImportSource
  readonly target: ImportTarget
  readonly deps: CommandDeps
  readonly journal: ImportJournal
  readonly project: ForeignProject & {
    readonly here: { readonly id: number; readonly slug: string; readonly publicKey: string }
  }
  /** Of each issue. */
  readonly events: number
  readonly isDryRun: boolean
  readonly userId: (email: string) => Promise<string | undefined>
  readonly teamId: (slug: string) => Promise<number | undefined>
  readonly missing: Missing
  readonly onIssue: (issue: ForeignIssue, number: number) => void
}

/** The pipeline takes seconds, also when it is busy. */
const STORED_WITHIN_MS = 60_000

/** Reading one waits for the other product, and storing it for the pipeline. Few: neither is to be flooded. */
const AT_ONCE = 4

export async function importIssues(work: ImportIssues): Promise<void> {
  const { source, journal, project } = work
  let number = 0
  let some: ForeignIssue[] = []
  const take = async (): Promise<void> => {
    const found = await Promise.all(some.map((issue) => bringEvents(work, issue)))
    // One after the other, so that two that become one are seen.
    for (const [at, issue] of some.entries()) {
      const events = found[at]
      const name = `${issue.shortId} ${issue.title}`.slice(0, 200)
      const outcome =
        work.isDryRun || !events ? ({ outcome: 'done' } as const) : await applyIssue(work, issue, events)
      journal.note({ kind: 'issue', id: issue.id, name, ...outcome })
    }
    some = []
  }
  for await (const issue of source.issues(project)) {
    work.onIssue(issue, ++number)
    if (journal.get('issue', issue.id)?.outcome === 'done') continue
    if (some.push(issue) >= AT_ONCE) await take()
  }
  await take()
}

type Brought = {
  /** How many events came into which issue here. */
  readonly counts: ReadonlyMap<number, number>
  readonly why: readonly string[]
}

async function bringEvents(work: ImportIssues, issue: ForeignIssue): Promise<Brought | undefined> {
  const { source, target, project } = work
  if (work.isDryRun) return undefined
  const why: string[] = []
  const sent: string[] = []
  if (work.events > 0)
    for await (const { id, payload } of source.events(project, issue)) {
      if (!EVENT_ID.test(id)) {
        why.push('an event has no id of 32 hexadecimal digits')
        break
      }
      const isThere = (await target.issueOf(project.here.slug, id, 0)) !== undefined
      const problem = isThere ? undefined : await target.sendEvent(sender(project), payload)
      if (problem === undefined) sent.push(id)
      else why.push(`event ${id}: ${problem}`)
      if (sent.length >= work.events || why.length >= MAX_REFUSED) break
    }
  const counts = new Map<number, number>()
  let lost = 0
  for (const id of sent) {
    const issueId = await target.issueOf(project.here.slug, id, lost > 0 ? 1_000 : STORED_WITHIN_MS)
    if (issueId === undefined) lost++
    else counts.set(issueId, (counts.get(issueId) ?? 0) + 1)
  }
  if (lost > 0)
    why.push(`${lost} of its events were taken and not stored: a filter or a limit of the project has them`)
  return { counts, why }
}

const EVENT_ID = /^[0-9a-f]{32}$/
/** Whatever is wrong with so many is wrong with all. */
const MAX_REFUSED = 10

const sender = ({ here }: ImportIssues['project']) => ({ projectId: here.id, publicKey: here.publicKey })

async function applyIssue(
  work: ImportIssues,
  issue: ForeignIssue,
  brought: Brought,
): Promise<Pick<Outcome, 'outcome' | 'why' | 'to'>> {
  const { source, deps, journal, missing } = work
  const { counts } = brought
  const why = [...brought.why]
  const [most, ...others] = [...counts].toSorted((a, b) => b[1] - a[1]).map(([id]) => id)
  if (most === undefined)
    return {
      outcome: 'left',
      why: [...why, 'no event of it could be read, and an issue here is made of events'],
    }
  if (others.length > 0)
    why.push(
      `its events became ${counts.size} issues here: ${[...counts.keys()].join(', ')}; its state is that of ${most}`,
    )
  const twin = journal
    .all()
    .find(({ kind, to, id }) => kind === 'issue' && to === String(most) && id !== issue.id)
  if (twin) why.push(`it is one issue here with ${twin.name}`)
  why.push(...(await applyState(deps.records, most, issue, work, deps.clock.nowMs())))
  const comments: ForeignComment[] = []
  for await (const comment of source.comments(issue, missing)) comments.push(comment)
  await addComments(deps.records, most, comments, work.userId)
  return { outcome: why.length === 0 ? 'done' : 'partly', ...(why.length > 0 && { why }), to: String(most) }
}
