/** JSON for the switcher and the palette: where the viewer can go. `?org=acme&text=type` */
import type { Grant } from '@sonde/access'
import { findIssue, listProjects, recentIssues } from '@sonde/queries'
import type { LoadArgs } from '@sonde/router/server'
import { grantsOf } from '../../../parts/access/page-grant.server.ts'
import type { AppContext } from '../../../server/app-context.server.ts'
import type { Places } from '../../../shell/places.ts'

const MAX_TEXT_CHARS = 200
const MAX_ISSUES = 8

export async function load(args: LoadArgs<AppContext>): Promise<Response> {
  const { context, url } = args
  const org = url.searchParams.get('org')
  const text = (url.searchParams.get('text') ?? '').trim().slice(0, MAX_TEXT_CHARS)
  const visible = await grantsOf(args).openOrgs('event:read')
  // The organization at hand first: what is meant is mostly near.
  const grants = visible.toSorted((a, b) => Number(b.orgSlug === org) - Number(a.orgSlug === org))
  const found = await Promise.all(grants.map((grant) => placesOf(context, grant, text)))
  const places: Places = {
    projects: found.flatMap(({ projects }) => projects),
    issues: found.flatMap(({ issues }) => issues).slice(0, MAX_ISSUES),
  }
  return Response.json(places, { headers: { 'cache-control': 'no-store' } })
}

async function placesOf(
  { queries }: AppContext,
  grant: Grant<'event:read', 'org'>,
  text: string,
): Promise<Places> {
  const org = grant.orgSlug
  const [projects, named, recent] = await Promise.all([
    listProjects(queries, grant),
    // By its id an issue is found however long ago it was seen.
    /-\d+$/.test(text) ? findIssue(queries, grant, text) : undefined,
    recentIssues(queries, grant, { text, limit: MAX_ISSUES }),
  ])
  const exact = named && { ...named, project: named.project.slug }
  const others = recent.filter(({ shortId }) => shortId !== exact?.shortId)
  return {
    projects: projects.map(({ slug, name }) => ({ org, slug, name })),
    issues: (exact ? [exact, ...others] : others).map(({ project, shortId, title, level }) => ({
      org,
      project,
      shortId,
      title: title.slice(0, MAX_TEXT_CHARS),
      level,
    })),
  }
}
