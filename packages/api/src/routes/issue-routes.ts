/** One issue, its events and tags. Under the organisation's path, and under `/issues/{id}/` as older clients ask. */
import { updateIssues } from '@sonde/commands'
import type { Grant } from '@sonde/access'
import { issueDetail, type IssueRow, issueEvents, issueTags, issueTagValues } from '@sonde/queries'
import { type Api, type ApiContext, type ApiOptions, pathParam } from '../api-context.ts'
import { resolutionFrom, statusFrom, substatusFrom } from '../issue-status.ts'
import { jsonBody } from '../json-body.ts'
import { setLink, setSinglePage } from '../link-header.ts'
import { limitParam } from '../request-params.ts'
import { eventRowJson } from '../serializers/event-row.ts'
import { issueDetailJson } from '../serializers/issue.ts'
import { tagSummaryJson, tagValueJson } from '../serializers/tag.ts'
import { eventOfIssue } from './event-of-issue.ts'
import { openIssue } from './open-issue.ts'

export function issueRoutes(api: Api, options: ApiOptions): void {
  const { queries, publicUrl } = options
  const open = openIssue(options)
  for (const base of ['/organizations/:org/issues/:issue', '/issues/:issue']) {
    api.get(base, async (c) => detail(c, options, await open(c, 'event:read')))

    api.put(base, async (c) => {
      const { grant, issue } = await open(c, 'event:write')
      const body = await jsonBody(c)
      const status = statusFrom(body)
      if (status) {
        await updateIssues(options.commands, grant, {
          ids: [issue.id],
          status,
          resolution: resolutionFrom(body),
          substatus: substatusFrom(body),
        })
      }
      return detail(c, options, { grant, issue })
    })

    api.get(`${base}/events`, async (c) => {
      const { issue } = await open(c, 'event:read')
      const page = await issueEvents(queries, issue, {
        query: c.req.query('query'),
        limit: limitParam(c),
        cursor: c.req.query('cursor'),
      })
      setLink(c, publicUrl, page)
      return c.json(page.rows.map((row) => eventRowJson(row)))
    })

    api.get(`${base}/events/:event`, (c) => eventOfIssue(c, options, open))

    api.get(`${base}/tags`, async (c) => {
      const { issue } = await open(c, 'event:read')
      const tags = await issueTags(queries, issue, {
        keys: 100,
        valuesPerKey: 10,
        environments: c.req.queries('environment'),
      })
      setSinglePage(c, publicUrl)
      return c.json(tags.map((tag) => tagSummaryJson(tag)))
    })

    api.get(`${base}/tags/:key`, async (c) => {
      const { issue } = await open(c, 'event:read')
      const [tag] = await issueTags(queries, issue, {
        keys: 1,
        valuesPerKey: 10,
        key: pathParam(c, 'key'),
        environments: c.req.queries('environment'),
      })
      return tag ? c.json(tagSummaryJson(tag)) : c.notFound()
    })

    api.get(`${base}/tags/:key/values`, async (c) => {
      const { issue } = await open(c, 'event:read')
      const page = await issueTagValues(queries, issue, {
        key: pathParam(c, 'key'),
        contains: c.req.query('query'),
        environments: c.req.queries('environment'),
        limit: limitParam(c),
        cursor: c.req.query('cursor'),
      })
      setLink(c, publicUrl, page)
      return c.json(page.rows.map((value) => tagValueJson(page.key, value)))
    })
  }
}

async function detail(
  c: ApiContext,
  { queries, publicUrl }: ApiOptions,
  { grant, issue }: { readonly grant: Grant<'event:read', 'org'>; readonly issue: IssueRow },
): Promise<Response> {
  const found = await issueDetail(queries, grant, issue.id)
  return found ? c.json(issueDetailJson(found, { publicUrl, orgSlug: grant.orgSlug })) : c.notFound()
}
