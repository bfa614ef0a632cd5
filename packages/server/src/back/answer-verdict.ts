/** What `sonde release verdict` asks the running Sonde: a question as JSON, and the answer as JSON. */
import { type Access, operatorViewer } from '@sonde/access'
import { errorKind, SondeError } from '@sonde/base'
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

/** Throws `SondeError` (`not-found`) where the project or the release is not there; the text says which. */
export async function answerVerdict(access: Opens, deps: Reads, body: string): Promise<string> {
  const { org, project, days, ...question } = JSON.parse(body) as VerdictQuestion
  const grant = await openOr(access, org, project)
  const toMs = deps.clock.nowMs()
  const asked = { ...question, fromMs: toMs - days * DAY_MS, toMs }
  return JSON.stringify(await releaseVerdict(deps, grant, asked))
}

async function openOr(access: Opens, org: string, project: string) {
  try {
    return await access.openProject(operatorViewer, org, project, 'event:read')
  } catch (cause) {
    if (errorKind(cause) !== 'not-found') throw cause
    throw new SondeError('not-found', `project ${org}/${project} does not exist`, {
      operation: 'judge a release',
      subject: `${org}/${project}`,
      hint: 'Projects are made with: sonde project create ORG/PROJECT',
      cause,
    })
  }
}
