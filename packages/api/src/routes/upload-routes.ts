/** How sentry-cli and the bundler plugins send an upload: in pieces that are named by their SHA-1. */
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { requireAlso } from '@sonde/access'
import { createSemaphore, SondeError } from '@sonde/base'
import {
  assembleBundle,
  CHUNK_LIMITS,
  InvalidInput,
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
import {
  type Api,
  type ApiContext,
  type ApiOptions,
  orgGrant,
  pathParam,
  projectGrant,
} from '../api-context.ts'
import { API_BODY_BYTES, jsonBody } from '../json-body.ts'
import { type FormFile, readForm } from '../multipart.ts'
import { isoDate, isoDateOrNull } from '../serializers/date.ts'

/** Ours: reads stored events again with the source maps that are there, and says how far that is. */
const REPROCESSING_PATH = '/projects/:org/:project/source-maps/reprocessing'

export function reprocessingRoutes(api: Api, { queries, commands }: ApiOptions): void {
  api.post(REPROCESSING_PATH, async (c) => {
    const grant = requireAlso(await projectGrant(c, 'project:read'), 'release:write', 'project:write')
    const release = (await jsonBody(c)).text('release') ?? c.req.query('release')
    const requested = await reprocessEvents(commands, grant, { release })
    return c.json({ id: String(requested.id), isNew: requested.isNew }, 202)
  })

  api.get(REPROCESSING_PATH, async (c) => {
    const grant = await projectGrant(c, 'project:read')
    return c.json((await recentReprocessing(queries, grant, MOST)).map((run) => reprocessingJson(run)))
  })
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
export function artifactStateRoutes(api: Api, { queries }: ApiOptions): void {
  // A question, and a POST all the same: a build has more ids than fit into an address.
  api.post('/organizations/:org/artifact-states', async (c) => {
    const grant = await orgGrant(c, 'project:read')
    const requested = (await jsonBody(c)).value('debugIds')
    if (!isListOfTexts(requested) || requested.length > MAX_REQUESTED_IDS)
      throw new InvalidInput('look up debug ids', {
        debugIds: [`a list of at most ${MAX_REQUESTED_IDS} debug ids is needed`],
      })
    const ids = requested.map((id) => id.toLowerCase())
    return c.json({ artifacts: await artifactStates(queries, grant, ids) })
  })
}

const isListOfTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')

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

export function chunkUploadRoutes(api: Api, options: ApiOptions): void {
  const { commands } = options
  const enter = createSemaphore(CHUNKS_AT_ONCE, {
    waitMs: ENTER_WITHIN_MS,
    operation: 'take an upload',
    what: 'uploads',
  })

  api.get(PATH, async (c) => {
    const { orgSlug } = await orgGrant(c, 'release:write')
    return c.json({
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
    })
  })

  api.post(PATH, async (c) => {
    const takeChunk = openChunkUpload(commands, await orgGrant(c, 'release:write'))
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
    return c.body(null, 200)
  })
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
export function assembleRoutes(api: Api, { commands }: ApiOptions): void {
  const answer = async (c: ApiContext, release: (version: unknown) => unknown) => {
    const grant = await orgGrant(c, 'release:write')
    const body = await jsonBody(c, API_BODY_BYTES.assembleJson)
    const assembly = await assembleBundle(commands, grant, {
      checksum: body.value('checksum'),
      chunks: body.value('chunks'),
      projects: body.value('projects') ?? undefined,
      release: release(body.value('version')) ?? undefined,
      dist: body.value('dist') ?? undefined,
    })
    const missingChunks = assembly.state === 'not_found' ? assembly.missingChunks : []
    return c.json({ state: assembly.state, missingChunks, detail: null })
  }

  api.post('/organizations/:org/artifactbundle/assemble', (c) => answer(c, (version) => version))
  // sentry-cli 2 for servers without artifact bundles.
  api.post('/organizations/:org/releases/:version/assemble', (c) => answer(c, () => pathParam(c, 'version')))
}
