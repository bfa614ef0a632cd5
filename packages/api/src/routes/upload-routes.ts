/** How sentry-cli and the bundler plugins send an upload: in pieces that are named by their SHA-1. */
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { type Grant, requireAlso } from '@sonde/access'
import { createSemaphore, SondeError } from '@sonde/base'
import {
  assembleBundle,
  CHUNK_LIMITS,
  MAX_BUNDLE_BYTES,
  openChunkUpload,
  reprocessEvents,
} from '@sonde/commands'
import {
  artifactStates,
  MAX_REQUESTED_IDS,
  type RecentReprocessing,
  recentReprocessing,
} from '@sonde/queries'
import { z } from 'zod'
import type { ApiContext, ApiOptions } from '../api-context.ts'
import type { Api } from '../described-routes.ts'
import { API_BODY_BYTES } from '../json-body.ts'
import { type FormFile, readForm } from '../multipart.ts'
import { media } from '../operation.ts'
import { text } from '../query-schemas.ts'
import { isoDate, isoDateOrNull, Time } from '../serializers/date.ts'
import { taken } from '../taken.ts'

/** Ours: reads stored events again with the source maps that are there, and says how far that is. */
const REPROCESSING_PATH = '/projects/:org/:project/source-maps/reprocessing'

const Reprocessing = z
  .object({
    id: z.string(),
    cause: z.string(),
    release: z.string().nullable(),
    dateRequested: Time,
    dateStarted: Time.nullable(),
    dateFinished: Time.nullable(),
    events: z.object({ total: z.int().nullable(), seen: z.int(), changed: z.int(), moved: z.int() }),
    mergedIssues: z.int(),
    trouble: z.string().nullable(),
  })
  .meta({ id: 'Reprocessing' })

export function reprocessingRoutes(api: Api, { queries, commands }: ApiOptions): void {
  api.post(
    REPROCESSING_PATH,
    {
      id: 'reprocessEvents',
      summary: 'Read stored events again with the source maps that are there',
      tag: 'Uploads',
      permission: 'project:read',
      opens: 'project:write',
      query: z.object({ release: text('The same as in the body.') }),
      body: z.object({ release: z.string().optional().meta({ description: 'Only its events.' }) }),
      answer: z.object({ id: z.string(), isNew: z.boolean() }),
      status: 202,
    },
    async ({ grant, query, body }) => {
      const mayWrite = requireAlso(grant, 'release:write', 'project:write')
      const release = body.release ?? query.release
      const requested = await reprocessEvents(commands, mayWrite, { release })
      return { id: String(requested.id), isNew: requested.isNew }
    },
  )

  api.get(
    REPROCESSING_PATH,
    {
      id: 'listReprocessing',
      summary: 'Read how far reprocessing is',
      tag: 'Uploads',
      permission: 'project:read',
      answer: z.array(Reprocessing),
    },
    async ({ grant }) => (await recentReprocessing(queries, grant, MOST)).map(reprocessingJson),
  )
}

const MOST = 50

function reprocessingJson({
  id,
  release,
  requestedMs,
  startedMs,
  finishedMs,
  ...reprocessing
}: RecentReprocessing) {
  const { cause, total, seen, changed, moved, merged, trouble } = reprocessing
  return {
    id: String(id),
    cause,
    release: release === '' ? null : release,
    dateRequested: isoDate(requestedMs),
    dateStarted: isoDateOrNull(startedMs),
    dateFinished: isoDateOrNull(finishedMs),
    events: { total: total ?? null, seen, changed, moved },
    mergedIssues: merged,
    trouble: trouble === '' ? null : trouble,
  }
}

/** Ours: whether maps with given debug ids were uploaded and can be read. `sonde sourcemaps verify` asks it. */
const IDS = `a list of at most ${MAX_REQUESTED_IDS} debug ids is needed`

export function artifactStateRoutes(api: Api, { queries }: ApiOptions): void {
  // A question, and a POST all the same: a build has more ids than fit into an address.
  api.post(
    '/organizations/:org/artifact-states',
    {
      id: 'getArtifactStates',
      summary: 'Ask whether source maps of debug ids can be read',
      tag: 'Uploads',
      permission: 'project:read',
      body: z.object({ debugIds: z.array(z.string(IDS), IDS).max(MAX_REQUESTED_IDS, IDS) }),
      answer: z.object({
        artifacts: z.array(z.object({ debugId: z.string(), state: z.string(), detail: z.string() })),
      }),
    },
    async ({ grant, body: { debugIds } }) => ({
      artifacts: await artifactStates(
        queries,
        grant,
        debugIds.map((id) => id.toLowerCase()),
      ),
    }),
  )
}

const unzip = promisify(gunzip)
const PATH = '/organizations/:org/chunk-upload'

// Each holds up to 8 MiB. A slow line needs minutes for one, so few would let two builds block all others.
const CHUNKS_AT_ONCE = 24
const ENTER_WITHIN_MS = 30_000
// A packed chunk that does not pack.
const SLACK_BYTES = 64 * 1024

const LIMITS = {
  requestBytes: API_BODY_BYTES.chunks,
  fileBytes: CHUNK_LIMITS.chunkBytes + SLACK_BYTES,
  files: CHUNK_LIMITS.chunksPerRequest,
  fields: 16,
} as const

const ChunkUploadOptions = z.object({
  url: z.url(),
  chunkSize: z.int(),
  chunksPerRequest: z.int(),
  maxFileSize: z.int(),
  maxRequestSize: z.int(),
  maxWait: z.int(),
  concurrency: z.int(),
  hashAlgorithm: z.string(),
  compression: z.array(z.string()),
  accept: z.array(z.string()),
})

const Chunks = z.object({ file: z.array(z.file()).optional(), file_gzip: z.array(z.file()).optional() })

export function chunkUploadRoutes(api: Api, options: ApiOptions): void {
  const { commands } = options
  const enter = createSemaphore(CHUNKS_AT_ONCE, {
    waitMs: ENTER_WITHIN_MS,
    operation: 'take an upload',
    what: 'uploads',
  })

  api.get(
    PATH,
    {
      id: 'getChunkUploadOptions',
      summary: 'Read how to upload in pieces',
      tag: 'Uploads',
      permission: 'release:write',
      answer: ChunkUploadOptions,
    },
    ({ c, grant: { orgSlug } }) => ({
      url: `${originOf(c, options)}/api/0/organizations/${orgSlug}/chunk-upload/`,
      chunkSize: CHUNK_LIMITS.chunkBytes,
      chunksPerRequest: CHUNK_LIMITS.chunksPerRequest,
      maxFileSize: MAX_BUNDLE_BYTES,
      maxRequestSize: CHUNK_LIMITS.requestBytes,
      maxWait: 0,
      concurrency: CHUNK_LIMITS.concurrency,
      hashAlgorithm: 'sha1',
      compression: ['gzip'],
      // v2: what is missing is told before anything is sent.
      accept: [
        'release_files',
        'artifact_bundles',
        'artifact_bundles_v2',
        'debug_files',
        'proguard',
        'dartsymbolmap',
      ],
    }),
  )

  api.post(
    PATH,
    {
      id: 'uploadChunks',
      summary: 'Upload pieces',
      tag: 'Uploads',
      permission: 'release:write',
      body: media('multipart/form-data', 'Pieces, each named by its SHA-1.', Chunks),
      status: 200,
      errors: { 503: 'Too many uploads at once.' },
    },
    async ({ c, grant }) => {
      const takeChunk = openChunkUpload(commands, grant)
      let count = 0
      const take = async (file: FormFile): Promise<void> => {
        if (file.field !== 'file' && file.field !== 'file_gzip') return
        await takeChunk(file.fileName, await plainBytes(file))
        count++
      }
      await readForm(c, LIMITS, take, enter)
      if (count === 0)
        throw new SondeError('invalid', 'the form has no part called "file" or "file_gzip"', {
          operation: 'take chunks',
        })
    },
  )
}

async function plainBytes({ field, fileName, bytes }: FormFile): Promise<Uint8Array> {
  if (field === 'file') return bytes
  return await unzip(bytes, { maxOutputLength: CHUNK_LIMITS.chunkBytes }).catch((cause: unknown) => {
    const isLarge = (cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    const what = isLarge ? `has more than ${CHUNK_LIMITS.chunkBytes} bytes` : 'cannot be unpacked'
    throw new SondeError('invalid', `the chunk ${fileName.slice(0, 60)} ${what}`, {
      operation: 'take chunks',
      cause,
    })
  })
}

/**
 * Absolute and of the origin that was asked, because clients refuse to send their token anywhere else. Only our own names
 * are believed.
 */
function originOf(c: ApiContext, { publicUrl, trustedOrigins = [] }: ApiOptions): string {
  const host = c.req.header('host')
  return trustedOrigins.find((origin) => new URL(origin).host === host) ?? publicUrl
}

// Asked before chunks are sent (which are missing?) and afterwards (is it stored?).

/**
 * What is wrong with an upload is a 400, not a state: the plugins that do not read our words read its status line, and
 * sentry-cli prints its `detail`.
 */
const Bundle = z.object({
  checksum: taken('string', 'SHA-1 of the whole. It is needed.'),
  chunks: taken(z.array(z.string()), 'SHA-1 of each piece, in order. They are needed.'),
  projects: taken(z.array(z.string()), 'Slugs; as the bundle itself says unless given.'),
  version: taken('string', 'Of a release.'),
  dist: taken('string', 'Of a release.'),
})

const Assembly = z.object({
  state: z.enum(['not_found', 'assembling', 'ok']).meta({
    description: '`not_found` while pieces are missing; `assembling`: it takes longer, ask again.',
  }),
  missingChunks: z.array(z.string()).readonly().meta({ description: 'SHA-1 of the pieces to send.' }),
  detail: z.null(),
})

const assembles = {
  tag: 'Uploads',
  permission: 'release:write',
  maxBytes: API_BODY_BYTES.assembleJson,
  answer: Assembly,
} as const

export function assembleRoutes(api: Api, { commands }: ApiOptions): void {
  const assemble = async (
    grant: Grant<'release:write', 'org'>,
    { checksum, chunks, projects, dist }: z.output<typeof Bundle>,
    release: unknown,
  ) => {
    const assembly = await assembleBundle(commands, grant, {
      checksum,
      chunks,
      projects: projects ?? undefined,
      release: release ?? undefined,
      dist: dist ?? undefined,
    })
    const missingChunks = assembly.state === 'not_found' ? assembly.missingChunks : []
    return { state: assembly.state, missingChunks, detail: null }
  }

  api.post(
    '/organizations/:org/artifactbundle/assemble',
    { ...assembles, id: 'assembleBundle', summary: 'Make a bundle of source maps of pieces', body: Bundle },
    ({ grant, body }) => assemble(grant, body, body.version),
  )
  // sentry-cli 2 for servers without artifact bundles.
  api.post(
    '/organizations/:org/releases/:version/assemble',
    {
      ...assembles,
      id: 'assembleReleaseBundle',
      summary: 'Make a bundle of the files of a release of pieces',
      body: Bundle,
    },
    ({ grant, params, body }) => assemble(grant, body, params.version),
  )
}
