import { projectReleases, releaseVerdict } from '@sonde/queries'
import { absentSentences, measureSentence, verdictSentence } from '@sonde/queries/contract'
import { z } from 'zod'
import { createAnswer } from '../answer/answer.ts'
import { plainLine } from '../answer/plain-text.ts'
import { openProject, organization, period, project, refused, windowOf } from '../subject.ts'
import { defineTool } from '../tool.ts'

const NEWEST = 10

export const getReleaseVerdict = defineTool({
  name: 'get_release_verdict',
  title: 'Judge a release',
  description:
    'Whether a release is better, same or worse than the one before (crashes, users with errors, failed navigations, error rate, web vitals), with confidence, or what is missing to say so. Without a release: the newest.',
  permission: 'event:read',
  input: z.object({
    organization,
    project,
    release: z.string().min(1).max(250).optional(),
    before: z
      .string()
      .min(1)
      .max(250)
      .optional()
      .describe('What to compare with; the release before unless told.'),
    environment: z.string().max(100).optional(),
    period: period('14d'),
  }),
  async run(context, args) {
    const { queries, nowMs } = context
    const grant = await openProject(context, args, 'event:read')
    const { rows } = await projectReleases(queries, grant, { page: 1, limit: NEWEST })
    const release = args.release ?? rows[0]?.version
    if (release === undefined) throw refused('not-found', 'the project has no releases')
    const judged = await releaseVerdict(queries, grant, {
      ...windowOf(args.period, nowMs),
      release,
      before: args.before,
      environment: args.environment === undefined ? [] : [args.environment],
    })
    return createAnswer()
      .say(`Verdict: ${judged.verdict.replaceAll('_', ' ')}, with data of the last ${args.period}`)
      .data('In words', [
        plainLine(verdictSentence(judged), 600),
        ...judged.measures.map((measure) => `- ${plainLine(measureSentence(measure), 400)}`),
        ...absentSentences(judged.absent).map((sentence) => `- ${plainLine(sentence, 300)}`),
        `screen: ${context.links.release(grant.orgSlug, grant.projectSlug, release)}`,
      ])
      .data(
        'The newest releases of the project',
        rows.map(({ version }) => `- ${plainLine(version, 250)}`),
      )
  },
})
