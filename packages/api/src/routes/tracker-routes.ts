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
import { type Api, type ApiOptions, pathParam } from '../api-context.ts'
import { API_BODY_BYTES, boundedBody, jsonBody } from '../json-body.ts'
import { setSinglePage } from '../request-params.ts'
import { openIssue } from './issue-routes.ts'

/** Of one address in a minute: a tracker sends for all of its projects from a few, and whoever guesses has far to go. */
const WEBHOOKS_A_MINUTE = 600

/** Without a sign-in: the signature is the proof. Whether there is such a connection is not told without it. */
export function trackerWebhookRoutes(
  api: Api,
  { commands, clientAddress }: Pick<ApiOptions, 'commands' | 'clientAddress'>,
): void {
  const waitFor = createPostLimit({ postsAMinute: WEBHOOKS_A_MINUTE, nowMs: () => commands.clock.nowMs() })
  api.post('/trackers/:tracker/webhook', async (c) => {
    const waitSec = waitFor(clientAddress?.(c.req.raw.headers) ?? '')
    if (waitSec > 0) {
      c.header('retry-after', String(waitSec))
      return c.json({ detail: 'Too many requests.' }, 429)
    }
    const tooLong = () =>
      new InvalidInput('read the body', { detail: [`a webhook has at most ${API_BODY_BYTES.webhook} bytes`] })
    const pieces: Buffer[] = []
    for await (const piece of boundedBody(c, API_BODY_BYTES.webhook, tooLong)) pieces.push(piece)
    const id = pathParam(c, 'tracker')
    const isTaken =
      /^[1-9]\d{0,14}$/.test(id) &&
      (await takeTrackerWebhook(commands, Number(id), {
        headers: Object.fromEntries(c.req.raw.headers),
        body: Buffer.concat(pieces),
      }))
    return isTaken ? c.json({ detail: 'Taken.' }) : c.json({ detail: 'The signature is not valid.' }, 401)
  })
}

export function externalIssueRoutes(api: Api, options: ApiOptions): void {
  const { queries, commands, publicUrl } = options
  const open = openIssue(options)
  for (const base of ['/organizations/:org/issues/:issue', '/issues/:issue']) {
    api.get(`${base}/external-issues`, async (c) => {
      const { grant, issue } = await open(c, 'event:read')
      const links = await trackerLinks(queries, grant, issue.id)
      setSinglePage(c, publicUrl)
      return c.json(links.map((link) => externalIssueJson(issue.id, link)))
    })

    // With a key it links an issue that exists, without one it makes one.
    api.post(`${base}/external-issues`, async (c) => {
      const { grant, issue } = await open(c, 'event:write')
      const body = await jsonBody(c)
      const common = { issueId: issue.id, trackerId: Number(body.value('trackerId')) }
      const key = body.text('key')
      const made = await (key === undefined
        ? createTrackerIssue(commands, grant, {
            ...common,
            place: body.text('place'),
            title: body.text('title'),
            body: body.text('description'),
          })
        : linkTrackerIssue(commands, grant, { ...common, key }))
      const links = await trackerLinks(queries, grant, issue.id)
      const link = links.find(({ id }) => id === made.id)
      return link ? c.json(externalIssueJson(issue.id, link), 201) : c.notFound()
    })

    api.delete(`${base}/external-issues/:external`, async (c) => {
      const { grant, issue } = await open(c, 'event:write')
      await unlinkTrackerIssue(commands, grant, {
        issueId: issue.id,
        linkId: Number(pathParam(c, 'external')),
      })
      return c.body(null, 204)
    })
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
