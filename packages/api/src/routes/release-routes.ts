/** Releases of an organization, or what one of its projects knows of them: sentry-cli asks under both paths. */
import type { Grant } from '@sonde/access'
import { createDeploy, createRelease, deleteRelease, type ReleaseInput, updateRelease } from '@sonde/commands'
import {
  commitsOfRelease,
  deploysOfRelease,
  listReleases,
  previousWithCommits,
  RELEASE_SORTS,
  releaseByVersion,
} from '@sonde/queries'
import { RELEASE_STATUSES } from '@sonde/stores'
import { z } from 'zod'
import type { ApiOptions } from '../api-context.ts'
import type { Api } from '../described-routes.ts'
import { API_BODY_BYTES } from '../json-body.ts'
import { withStatus } from '../operation.ts'
import { setLink, setSinglePage } from '../pages.ts'
import { text } from '../query-schemas.ts'
import { Commit, commitJson, Deploy, deployJson, Release, releaseJson } from '../serializers/release.ts'
import { taken } from '../taken.ts'

/** The paths under which releases are found. */
export const RELEASE_PATHS = ['/organizations/:org/releases', '/projects/:org/:project/releases'] as const

const orNothing = z.string().nullish()
const Slugs = z.array(z.string())
/** ISO 8601, or Unix seconds as some clients send. */
const SentTime = z.union([z.string(), z.number()])

const SentCommits = z.array(
  z.object({
    id: z.string().meta({ description: 'Its hash.' }),
    repository: orNothing.meta({ description: 'Its name, for example `acme/shop`.' }),
    author_name: orNothing,
    author_email: orNothing,
    message: orNothing,
    timestamp: SentTime.nullish(),
    patch_set: z
      .array(
        z.object({
          path: z.string(),
          type: z.enum(['A', 'M', 'D']).meta({ description: 'Added, modified or deleted.' }),
        }),
      )
      .nullish()
      .meta({ description: 'The files that it changed.' }),
  }),
)
const SentRefs = z.array(
  z.object({
    repository: z.string(),
    commit: z.string().meta({ description: 'The last one, or the range `previous..commit`.' }),
    previousCommit: orNothing,
  }),
)

const ReleaseFields = z.object({
  projects: taken(Slugs, 'Slugs. A project of the path is one of them.'),
  url: taken('string', 'Where it can be looked at.'),
  dateStarted: taken(SentTime, 'ISO 8601, or Unix seconds.'),
  dateReleased: taken(SentTime, 'ISO 8601, or Unix seconds.'),
  status: taken(z.enum(RELEASE_STATUSES), 'Archived ones are not listed.'),
  commits: taken(SentCommits, 'What is in it, the newest first.'),
  refs: taken(SentRefs, 'Where the range of commits of each repository begins and ends.'),
})
const NewRelease = ReleaseFields.extend({ version: taken('string', 'Its name. It is needed.') })

const DeployFields = z.object({
  environment: taken('string', 'Where to, for example `production`. It is needed.'),
  name: taken('string', 'What people call it.'),
  url: taken('string', 'Where it can be looked at.'),
  dateStarted: taken(SentTime, 'ISO 8601, or Unix seconds.'),
  dateFinished: taken(SentTime, 'ISO 8601, or Unix seconds; now unless given.'),
  projects: taken(Slugs, 'Slugs; all of the release unless given.'),
})

const reads = { tag: 'Releases', permission: 'project:read' } as const
const writes = { tag: 'Releases', permission: 'release:write' } as const

export function releaseRoutes(api: Api, { queries, commands, publicUrl }: ApiOptions): void {
  const shown = async (grant: WriteGrant, version: string) => {
    const row = await releaseByVersion(queries, grant, version)
    return row && releaseJson(row)
  }

  for (const base of RELEASE_PATHS) {
    const one = `${base}/:version` as const
    api.get(
      base,
      {
        ...reads,
        id: 'listReleases',
        summary: 'List releases',
        query: z.object({
          query: text('Looked for inside of versions.'),
          sort: text(`One of ${RELEASE_SORTS.join(', ')}.`),
          status: text('`archived`, else those that are not.'),
        }),
        pages: true,
        answer: z.array(Release),
      },
      async ({ c, grant, query, page: asked }) => {
        const page = await listReleases(queries, grant, {
          query: query.query,
          sort: RELEASE_SORTS.find((sort) => sort === query.sort),
          status: query.status === 'archived' ? 'archived' : 'open',
          ...asked,
        })
        setLink(c, publicUrl, page)
        return page.rows.map(releaseJson)
      },
    )

    api.post(
      base,
      {
        ...writes,
        id: 'createRelease',
        summary: 'Make a release',
        body: NewRelease,
        maxBytes: API_BODY_BYTES.releaseJson,
        answer: Release,
        status: 201,
        also: { 208: 'It was there, and was changed: clients take both for success.' },
      },
      async ({ grant, body }) => {
        const { version } = body
        const saved = await createRelease(commands, grant, { ...inputOf(grant, body), version })
        const row = await shown(grant, saved.version)
        return row && withStatus(saved.isNew ? 201 : 208, row)
      },
    )

    api.get(
      one,
      { ...reads, id: 'getRelease', summary: 'Read a release', answer: Release },
      async ({ grant, params }) => {
        const row = await releaseByVersion(queries, grant, params.version)
        return row && releaseJson(row)
      },
    )

    api.put(
      one,
      {
        ...writes,
        id: 'updateRelease',
        summary: 'Change a release',
        description: 'What is absent stays.',
        body: ReleaseFields,
        maxBytes: API_BODY_BYTES.releaseJson,
        answer: Release,
      },
      async ({ grant, params: { version }, body }) => {
        const saved = await updateRelease(commands, grant, { ...inputOf(grant, body), version })
        return shown(grant, saved.version)
      },
    )

    api.delete(
      one,
      { ...writes, id: 'deleteRelease', summary: 'Delete a release' },
      ({ grant, params: { version } }) => deleteRelease(commands, grant, { version }),
    )
  }
}

type WriteGrant = Grant<'release:write', 'org' | 'project'>

/** A project of the path is one of the release's. */
function inputOf(
  grant: WriteGrant,
  { projects: given, ...fields }: z.output<typeof ReleaseFields>,
): Omit<ReleaseInput, 'version'> {
  const inPath = 'projectId' in grant ? [grant.projectSlug] : []
  const { url, dateStarted, dateReleased, status, commits, refs } = fields
  const projects: unknown = Array.isArray(given) ? [...(given as unknown[]), ...inPath] : (given ?? inPath)
  return { projects, url, dateStarted, dateReleased, status, commits, refs }
}

/** What is in a release and where it went: commits, deploys, and the repositories they are of. */
export function releasePartRoutes(api: Api, { queries, commands, publicUrl }: ApiOptions): void {
  for (const base of RELEASE_PATHS) {
    const one = `${base}/:version` as const
    api.get(
      `${one}/commits`,
      {
        ...reads,
        id: 'listReleaseCommits',
        summary: 'List the commits of a release',
        pages: true,
        answer: z.array(Commit),
      },
      async ({ c, grant, params, page: asked }) => {
        const release = await releaseByVersion(queries, grant, params.version)
        if (!release) return undefined
        const page = await commitsOfRelease(queries, release, asked)
        setLink(c, publicUrl, page)
        return page.rows.map(commitJson)
      },
    )

    api.get(
      `${one}/previous-with-commits`,
      {
        ...reads,
        id: 'getPreviousRelease',
        summary: 'Read the release before it whose commits are known',
        description: 'From there on a build has to tell what it holds. `{}`: nobody told of any before it.',
        answer: Release.partial(),
      },
      async ({ grant, params }) => {
        const release = await releaseByVersion(queries, grant, params.version)
        if (!release) return undefined
        const previous = await previousWithCommits(queries, grant, release)
        return previous ? releaseJson(previous) : {}
      },
    )

    api.get(
      `${one}/deploys`,
      {
        ...reads,
        id: 'listDeploys',
        summary: 'List the deploys of a release',
        pages: true,
        answer: z.array(Deploy),
      },
      async ({ c, grant, params }) => {
        const release = await releaseByVersion(queries, grant, params.version)
        if (!release) return undefined
        setSinglePage(c, publicUrl)
        return (await deploysOfRelease(queries, grant, release.version)).map(deployJson)
      },
    )

    api.post(
      `${one}/deploys`,
      {
        ...writes,
        id: 'createDeploy',
        summary: 'Tell of a deploy',
        body: DeployFields,
        answer: Deploy,
        status: 201,
      },
      async ({ grant, params: { version }, body }) => {
        const inPath = 'projectId' in grant ? [grant.projectSlug] : undefined
        const { environment, name, url, dateStarted, dateFinished, projects = inPath } = body
        const fields = { environment, name, url, dateStarted, dateFinished, projects }
        const { id } = await createDeploy(commands, grant, { version, ...fields })
        const deploy = (await deploysOfRelease(queries, grant, version)).find((row) => row.id === id)
        return deploy && deployJson(deploy)
      },
    )
  }

  /**
   * Those whose commits Sonde could read by itself: none. A client that finds its repository here sends only where the
   * range begins and ends; otherwise it sends the commits with their files, which is what suspect commits need.
   */
  api.get(
    '/organizations/:org/repos',
    {
      tag: 'Releases',
      permission: 'org:read',
      id: 'listRepositories',
      summary: 'List repositories that Sonde reads by itself: none',
      pages: true,
      answer: z.array(z.object({ name: z.string() })),
    },
    ({ c }) => {
      setSinglePage(c, publicUrl)
      return []
    },
  )
}
