/** What `/api/0` says is stored, as a whole: every event of a project, and what its issues count. */
import type { ApiClient, CreatedProject } from './api-client.ts'

const PAGE = 100

export type CountedIssue = { readonly id: string; readonly title: string; readonly count: number }

/** Ids in the order of the list; one that is stored twice stands there twice. */
export async function storedEventIds(api: ApiClient, { org, project }: CreatedProject): Promise<string[]> {
  const pages = await everyPage<{ eventID: string }[]>(
    api,
    `/api/0/projects/${org}/${project}/events/?limit=${PAGE}`,
  )
  return pages.flat().map((event) => event.eventID)
}

/** The bodies of a list's pages, from the first on. */
export async function everyPage<Body>(api: ApiClient, first: string): Promise<readonly Body[]> {
  const bodies: Body[] = []
  for (let path: string | undefined = first; path !== undefined;) {
    const { status, body, headers } = await api.get<Body>(path)
    if (status !== 200) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`)
    bodies.push(body)
    path = nextPage(headers.get('link') ?? '')
  }
  return bodies
}

/** The projects of these tests have at most 100 issues: one page. */
export async function countedIssues(
  api: ApiClient,
  { org, project }: CreatedProject,
): Promise<readonly CountedIssue[]> {
  const path = `/api/0/projects/${org}/${project}/issues/?limit=${PAGE}`
  const { status, body } = await api.get<{ id: string; title: string; count: string }[]>(path)
  if (status !== 200) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`)
  return body.map(({ id, title, count }) => ({ id, title, count: Number(count) }))
}

export async function countedEvents(api: ApiClient, project: CreatedProject): Promise<number> {
  return (await countedIssues(api, project)).reduce((sum, issue) => sum + issue.count, 0)
}

/** Upstream's form of the header: `<url>; rel="next"; results="true"; cursor="…"`. */
function nextPage(link: string): string | undefined {
  const next = link.split(/,\s*(?=<)/).find((part) => /rel="next"/.test(part) && /results="true"/.test(part))
  const url = next === undefined ? undefined : /<([^>]+)>/.exec(next)?.[1]
  if (url === undefined) return undefined
  const { pathname, search } = new URL(url)
  return pathname + search
}
