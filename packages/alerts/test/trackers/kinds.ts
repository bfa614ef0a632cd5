/** Each kind of tracker with what stands in for it: one suite tries all of them. */
import { createOutgoing } from '@sonde/outgoing'
import { TRACKER_KINDS, type TrackerKind } from '@sonde/stores'
import { githubWebhook, startGithub } from '../../../../tests/harness/trackers/github.ts'
import { gitlabWebhook, startGitlab } from '../../../../tests/harness/trackers/gitlab.ts'
import { JIRA_EMAIL, jiraWebhook, startJira } from '../../../../tests/harness/trackers/jira.ts'
import { linearWebhook, startLinear } from '../../../../tests/harness/trackers/linear.ts'
import type { KeptIssue, TrackerServer } from '../../../../tests/harness/trackers/tracker-server.ts'
import { createCall } from '../../src/trackers/call-tracker.ts'
import { trackerOf } from '../../src/trackers/trackers.ts'

export const TOKEN = 'token-of-acme'
export const WEBHOOK_SECRET = 'webhook-secret-of-acme'
export const NOW_MS = Date.UTC(2026, 0, 31, 13)

type Sent = { readonly headers: Record<string, string>; readonly body: string }

type Kind = {
  readonly places: readonly [first: string, second: string]
  /** What the first issue of the first place is called there. */
  readonly key: string
  readonly address: string
  start(token: string, places: readonly string[]): Promise<TrackerServer>
  settings(url: string): Record<string, unknown>
  /** That the issue is as it is now. */
  webhook(issue: KeptIssue, secret: string): Sent
  /** Undefined: it sends nothing of what is deleted. */
  deleted?(issue: KeptIssue, secret: string): Sent
}

export const KINDS: Readonly<Record<TrackerKind, Kind>> = {
  github: {
    places: ['acme/shop', 'acme/app'],
    key: 'acme/shop#1',
    address: 'https://github.test/acme/shop/issues/1',
    start: startGithub,
    settings: (apiUrl) => ({ apiUrl }),
    webhook: (issue, secret) => githubWebhook(issue, issue.isOpen ? 'reopened' : 'closed', secret),
    deleted: (issue, secret) => githubWebhook(issue, 'deleted', secret),
  },
  gitlab: {
    places: ['acme/web/shop', 'acme/app'],
    key: 'acme/web/shop#1',
    address: 'https://gitlab.test/acme/web/shop/-/issues/1',
    start: startGitlab,
    settings: (url) => ({ url }),
    webhook: (issue, secret) => gitlabWebhook(issue, issue.isOpen ? 'reopen' : 'close', secret),
  },
  jira: {
    places: ['SHOP', 'APP'],
    key: 'SHOP-1',
    address: '/browse/SHOP-1',
    start: startJira,
    settings: (url) => ({ url, email: JIRA_EMAIL }),
    webhook: (issue, secret) => jiraWebhook(issue, 'jira:issue_updated', secret),
    deleted: (issue, secret) => jiraWebhook(issue, 'jira:issue_deleted', secret),
  },
  linear: {
    places: ['SHOP', 'APP'],
    key: 'SHOP-1',
    address: 'https://linear.test/acme/issue/SHOP-1',
    start: startLinear,
    settings: (apiUrl) => ({ apiUrl }),
    webhook: (issue, secret) => linearWebhook(issue, 'update', secret, { sentMs: NOW_MS }),
    deleted: (issue, secret) => linearWebhook(issue, 'remove', secret, { sentMs: NOW_MS }),
  },
}
export { TRACKER_KINDS }

/** A client as a connection with both places has it. */
export async function openKind(
  kind: TrackerKind,
  { token = TOKEN, places }: { token?: string; places?: string[] } = {},
) {
  const { start, settings: settingsFor, ...facts } = KINDS[kind]
  const server = await start(TOKEN, facts.places)
  const outgoing = createOutgoing({ allowed: ['127.0.0.0/8'], userAgent: 'Sonde/test' })
  const tracker = trackerOf(kind)
  const settings = tracker.settings.parse({ ...settingsFor(server.url), places: places ?? facts.places })
  const secret = tracker.secret.parse({ token, webhookSecret: WEBHOOK_SECRET })
  return {
    ...facts,
    server,
    tracker,
    settings,
    client: tracker.connect(createCall(outgoing, tracker.name), settings, secret),
    async close() {
      server.close()
      await outgoing.close()
    },
  }
}
export type OpenKind = Awaited<ReturnType<typeof openKind>>
