/** Whether a release is better or worse than the one before it: what `sonde release verdict` says. docs/release-verdict.md */
import type { Grant } from '@sonde/access'
import { SondeError } from '@sonde/base'
import {
  type JudgedRelease,
  MAX_VERDICT_DAYS,
  parsePeriodMs,
  type QueryDeps,
  releaseByVersion,
  releaseVerdict,
  VERDICT_DAYS,
} from '@sonde/queries'
import { absentSentences, measureSentence, verdictSentence } from '@sonde/queries/contract'
import {
  type Api,
  type ApiContext,
  type ApiOptions,
  orgGrant,
  pathParam,
  projectGrant,
} from '../api-context.ts'
import { isoDate } from '../serializers/date.ts'

export function releaseVerdictRoutes(api: Api, { queries }: ApiOptions): void {
  const answer = async (c: ApiContext, grant: Grant<'event:read', 'project'>) =>
    c.json(verdictJson(await releaseVerdict(queries, grant, inputOf(c, queries))))

  api.get('/projects/:org/:project/releases/:version/verdict', async (c) =>
    answer(c, await projectGrant(c, 'event:read')),
  )

  api.get('/organizations/:org/releases/:version/verdict', async (c) => {
    const org = await orgGrant(c, 'event:read')
    const release = await releaseByVersion(queries, org, pathParam(c, 'version'))
    if (!release) return c.notFound()
    const asked = c.req.query('project')
    const found = release.projects.filter(
      ({ id, slug }) => asked === undefined || slug === asked || String(id) === asked,
    )
    const [project] = found
    if (!project) return c.notFound()
    if (found.length > 1)
      throw new SondeError('invalid', 'the release is of several projects: say which with ?project=', {
        operation: 'judge a release',
        subject: release.version,
      })
    return answer(c, await c.get('grants').openProject(pathParam(c, 'org'), project.slug, 'event:read'))
  })
}

const DAY_MS = 86_400_000

function inputOf(c: ApiContext, { clock }: Pick<QueryDeps, 'clock'>) {
  const text = c.req.query('statsPeriod') ?? `${VERDICT_DAYS}d`
  const periodMs = parsePeriodMs(text)
  if (periodMs === undefined || periodMs === 0 || periodMs > MAX_VERDICT_DAYS * DAY_MS)
    throw new SondeError('invalid', `statsPeriod is for example 14d, at most ${MAX_VERDICT_DAYS}d`, {
      operation: 'read the parameters',
      subject: 'statsPeriod',
    })
  const toMs = clock.nowMs()
  return {
    release: pathParam(c, 'version'),
    before: c.req.query('before') || undefined,
    environment: (c.req.queries('environment') ?? []).filter((name) => name !== ''),
    fromMs: Math.max(0, toMs - periodMs),
    toMs,
  }
}

/** As the command line says it, with sentences for people. */
function verdictJson(judged: JudgedRelease) {
  const { verdict, release, before, fromMs, toMs, measures, absent } = judged
  return {
    verdict,
    release,
    before: before ?? null,
    sentence: verdictSentence(judged),
    start: isoDate(fromMs),
    end: isoDate(toMs),
    measures: measures.map((measure) => ({ ...measure, sentence: measureSentence(measure) })),
    absent,
    absentReasons: absentSentences(absent),
  }
}
