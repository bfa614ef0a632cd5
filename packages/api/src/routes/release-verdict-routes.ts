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
import { z } from 'zod'
import type { ApiOptions } from '../api-context.ts'
import type { Api } from '../described-routes.ts'
import type { DeepReadonly } from '../operation.ts'
import { environments, text } from '../query-schemas.ts'
import { isoDate, Time } from '../serializers/date.ts'

const VERDICT = {
  statsPeriod: text(`The time until now that is compared, ${VERDICT_DAYS}d unless given.`),
  before: text('The release to compare with; the one before it unless given.'),
  environment: environments,
}
type VerdictQuery = z.output<z.ZodObject<typeof VERDICT>>

const VERDICTS = ['better', 'same', 'worse', 'not_enough_data'] as const

/** What a release is judged by; of many measures, in the order of `RELEASE_MEASURES`. */
export const VerdictMeasure = z
  .object({
    name: z.string().meta({ examples: ['crashed_sessions', 'lcp'] }),
    of: z.string().meta({ description: 'What `release` and `before` count: `sessions`, `page loads`, …' }),
    verdict: z.enum(VERDICTS),
    release: z.number().meta({ description: 'How many were measured of the release.' }),
    before: z.number().meta({ description: 'How many were measured of the one before.' }),
    isRelative: z.boolean().meta({
      description: '`by` is a relative change of the 75th percentile; else a difference of shares.',
    }),
    by: z.number().optional().meta({ description: 'How much worse it is. Absent: too few were measured.' }),
    low: z.number().optional().meta({ description: 'Where the interval of `by` begins.' }),
    high: z.number().optional().meta({ description: 'Where it ends.' }),
    margin: z.number().meta({ description: 'A difference within it is none.' }),
    needed: z
      .number()
      .optional()
      .meta({ description: 'About so many more are needed of the release that has fewer.' }),
    sentence: z.string(),
  })
  .meta({ id: 'VerdictMeasure' })

const Verdict = z
  .object({
    verdict: z.enum(VERDICTS),
    release: z.string(),
    before: z.string().nullable().meta({ description: 'Null: it is the first.' }),
    sentence: z.string(),
    start: Time,
    end: Time,
    measures: z.array(VerdictMeasure),
    absent: z.array(z.string()).meta({ description: 'Names of measures of which nobody sends anything.' }),
    absentReasons: z.array(z.string()).meta({ description: 'The same in sentences.' }),
  })
  .meta({ id: 'ReleaseVerdict' })
type VerdictJson = DeepReadonly<z.infer<typeof Verdict>>

const common = { tag: 'Releases', permission: 'event:read', answer: Verdict } as const
const summary = 'Judge a release against the one before it'

export function releaseVerdictRoutes(api: Api, { queries }: ApiOptions): void {
  const judge = async (grant: Grant<'event:read', 'project'>, release: string, query: VerdictQuery) =>
    verdictJson(await releaseVerdict(queries, grant, inputOf(release, query, queries)))

  api.get(
    '/projects/:org/:project/releases/:version/verdict',
    { ...common, id: 'judgeProjectRelease', summary, query: z.object(VERDICT) },
    ({ grant, params, query }) => judge(grant, params.version, query),
  )

  api.get(
    '/organizations/:org/releases/:version/verdict',
    {
      ...common,
      id: 'judgeRelease',
      summary,
      query: z.object({ ...VERDICT, project: text('Slug or id; needed where the release is of several.') }),
    },
    async ({ c, grant, params, query }) => {
      const release = await releaseByVersion(queries, grant, params.version)
      if (!release) return undefined
      const { project: asked } = query
      const found = release.projects.filter(
        ({ id, slug }) => asked === undefined || slug === asked || String(id) === asked,
      )
      const [project] = found
      if (!project) return undefined
      if (found.length > 1)
        throw new SondeError('invalid', 'the release is of several projects: say which with ?project=', {
          operation: 'judge a release',
          subject: release.version,
        })
      const own = await c.get('grants').openProject(params.org, project.slug, 'event:read')
      return judge(own, params.version, query)
    },
  )
}

const DAY_MS = 86_400_000

function inputOf(release: string, query: VerdictQuery, { clock }: Pick<QueryDeps, 'clock'>) {
  const { statsPeriod = `${VERDICT_DAYS}d`, before, environment = [] } = query
  const periodMs = parsePeriodMs(statsPeriod)
  if (periodMs === undefined || periodMs === 0 || periodMs > MAX_VERDICT_DAYS * DAY_MS)
    throw new SondeError('invalid', `statsPeriod is for example 14d, at most ${MAX_VERDICT_DAYS}d`, {
      operation: 'read the parameters',
      subject: 'statsPeriod',
    })
  const toMs = clock.nowMs()
  return {
    release,
    before: before || undefined,
    environment: environment.filter((name) => name !== ''),
    fromMs: Math.max(0, toMs - periodMs),
    toMs,
  }
}

/** As the command line says it, with sentences for people. */
function verdictJson(judged: JudgedRelease): VerdictJson {
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
