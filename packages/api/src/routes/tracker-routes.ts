/**
 * Issues of trackers: what belongs to an issue, in the shape of Sentry's external issues
 * (https://docs.sentry.io/api/integration/), and where trackers send their webhooks.
 */
import {
  createTrackerIssue,
  InvalidInput,
  linkTrackerIssue,
  takeTrackerWebhook,
  unlinkTrackerIssue,
} from '@sonde/commands'
import { createPostLimit } from '@sonde/commands'
import { type TrackerLink, trackerLinks } from '@sonde/queries'
import { z } from 'zod'
import { type ApiOptions, refusal, tooMany } from '../api-context.ts'
import type { Api } from '../described-routes.ts'
import { API_BODY_BYTES, boundedBody } from '../json-body.ts'
import { media } from '../operation.ts'
import { setSinglePage } from '../pages.ts'
import { ISSUE_PATHS, openIssue } from './issue-routes.ts'

/** Of one address in a minute: a tracker sends for all of its projects from a few, and whoever guesses has far to go. */
const WEBHOOKS_A_MINUTE = 600

/** Without a sign-in: the signature is the proof. Whether there is such a connection is not told without it. */
export function trackerWebhookRoutes(
  api: Api,
  { commands, clientAddress }: Pick<ApiOptions, 'commands' | 'clientAddress'>,
): void {
  const waitFor = createPostLimit({ postsAMinute: WEBHOOKS_A_MINUTE, nowMs: () => commands.clock.nowMs() })
  api.post(
    '/trackers/:tracker/webhook',
    {
      id: 'takeTrackerWebhook',
      summary: 'Take what an issue tracker tells',
      description: 'GitHub, GitLab, Jira and Linear send it; the signature is the proof.',
      tag: 'Links',
      isPublic: true,
      body: media('application/json', 'As the tracker sends it.'),
      answer: z.object({ detail: z.string() }),
      errors: { 429: 'Too many were sent.' },
    },
    async ({ c, params: { tracker: id } }) => {
      const waitSec = waitFor(clientAddress?.(c.req.raw.headers) ?? '')
      if (waitSec > 0) throw tooMany(c, waitSec)
      const tooLong = () =>
        new InvalidInput('read the body', {
          detail: [`a webhook has at most ${API_BODY_BYTES.webhook} bytes`],
        })
      const pieces: Buffer[] = []
      for await (const piece of boundedBody(c, API_BODY_BYTES.webhook, tooLong)) pieces.push(piece)
      const isTaken =
        /^[1-9]\d{0,14}$/.test(id) &&
        (await takeTrackerWebhook(commands, Number(id), {
          headers: Object.fromEntries(c.req.raw.headers),
          body: Buffer.concat(pieces),
        }))
      if (isTaken) return { detail: 'Taken.' }
      throw refusal(c, 401, 'The signature is not valid.')
    },
  )
}

const ExternalIssue = z
  .object({
    id: z.string(),
    issueId: z.string(),
    serviceType: z.string(),
    displayName: z.string(),
    webUrl: z.string(),
    trackerId: z.string(),
    title: z.string(),
    state: z.string(),
  })
  .meta({ id: 'ExternalIssue' })

export function externalIssueRoutes(api: Api, options: ApiOptions): void {
  const { queries, commands, publicUrl } = options
  const open = openIssue(options)
  const common = { tag: 'Issues', opens: 'event:write' } as const
  for (const issuePath of ISSUE_PATHS) {
    const base = `${issuePath}/external-issues` as const
    api.get(
      base,
      {
        ...common,
        opens: 'event:read',
        id: 'listExternalIssues',
        summary: 'List the issues of trackers that belong to an issue',
        pages: true,
        answer: z.array(ExternalIssue),
      },
      async ({ c }) => {
        const { grant, issue } = await open(c, 'event:read')
        const links = await trackerLinks(queries, grant, issue.id)
        setSinglePage(c, publicUrl)
        return links.map((link) => externalIssueJson(issue.id, link))
      },
    )

    api.post(
      base,
      {
        ...common,
        id: 'linkExternalIssue',
        summary: 'Link an issue of a tracker, or make one',
        body: z.object({
          trackerId: z.union([z.string(), z.number()], 'is the id of a connection').optional(),
          key: z.string().optional().meta({ description: 'Of one that exists; without it one is made.' }),
          place: z.string().optional().meta({ description: 'Where it is made: a repository, a team, …' }),
          title: z.string().optional(),
          description: z.string().optional(),
        }),
        answer: ExternalIssue,
        status: 201,
      },
      async ({ c, body: { trackerId, key, place, title, description } }) => {
        const { grant, issue } = await open(c, 'event:write')
        const target = { issueId: issue.id, trackerId: Number(trackerId) }
        const made = await (key === undefined
          ? createTrackerIssue(commands, grant, { ...target, place, title, body: description })
          : linkTrackerIssue(commands, grant, { ...target, key }))
        const links = await trackerLinks(queries, grant, issue.id)
        const link = links.find(({ id }) => id === made.id)
        return link && externalIssueJson(issue.id, link)
      },
    )

    api.delete(
      `${base}/:external`,
      { ...common, id: 'unlinkExternalIssue', summary: 'Unlink an issue of a tracker' },
      async ({ c, params }) => {
        const { grant, issue } = await open(c, 'event:write')
        const linkId = Number(params.external)
        await unlinkTrackerIssue(commands, grant, { issueId: issue.id, linkId })
      },
    )
  }
}

const externalIssueJson = (issueId: number, { id, tracker, key, url, title, state }: TrackerLink) => ({
  id: String(id),
  issueId: String(issueId),
  serviceType: tracker.kind,
  displayName: key,
  webUrl: url,
  // Ours.
  trackerId: String(tracker.id),
  title,
  state,
})
