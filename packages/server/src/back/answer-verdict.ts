/** What `sonde release verdict` asks the running Sonde: a question as JSON, and the answer as JSON. */
import { type Access, operatorViewer } from '@sonde/access'
import { type QueryDeps, releaseVerdict } from '@sonde/queries'
import type { InternalRoute } from './internal-routes.ts'

export type VerdictQuestion = {
  readonly org: string
  readonly project: string
  readonly release: string
  /** Absent: the release before it. */
  readonly before?: string | undefined
  /** Data of so many days. */
  readonly days: number
  readonly environment: readonly string[]
}

type Opens = Pick<Access, 'openProject'>
type Reads = Pick<QueryDeps, 'records' | 'telemetry' | 'clock'>

export const verdictRoute = (access: Opens, deps: Reads): InternalRoute => ({
  method: 'POST',
  path: '/-/release/verdict',
  contentType: 'application/json',
  answer: (body) => answerVerdict(access, deps, body),
})

const DAY_MS = 86_400_000

/** Throws where the project or the release is not there; the text says which. */
export async function answerVerdict(access: Opens, deps: Reads, body: string): Promise<string> {
  const { org, project, days, ...question } = JSON.parse(body) as VerdictQuestion
  const grant = await access.openProject(operatorViewer, org, project, 'event:read')
  const toMs = deps.clock.nowMs()
  return JSON.stringify(
    await releaseVerdict(deps, grant, { ...question, fromMs: toMs - days * DAY_MS, toMs }),
  )
}
