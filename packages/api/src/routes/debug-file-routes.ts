/** Debug files as sentry-cli uploads, lists and deletes them: `debug-files upload`, `upload-proguard`. */
import { SondeError } from '@sonde/base'
import { type Assembly, assembleDebugFile, deleteUpload, InvalidInput } from '@sonde/commands'
import { type DebugFileRow, debugFiles, parseCursor } from '@sonde/queries'
import { z } from 'zod'
import { type ApiOptions, projectGrant } from '../api-context.ts'
import type { Api } from '../described-routes.ts'
import { API_BODY_BYTES } from '../json-body.ts'
import { setLink } from '../pages.ts'
import { text } from '../query-schemas.ts'
import { isoDate, Time } from '../serializers/date.ts'
import { takenByName } from '../taken.ts'

/** sentry-cli asks about all that it found at once. */
const MAX_FILES = 1_000
/** All of a request wait together: the front gives an answer a minute. */
const WAIT_MS = 20_000

type State = z.infer<typeof StateShape>
const StateShape = z.object({
  state: z.string().meta({ description: '`not_found` while pieces are missing, `ok`, `error`, …' }),
  missingChunks: z.array(z.string()).readonly(),
  detail: z.string().nullable(),
})

const Dif = z
  .object({
    id: z.string(),
    uuid: z.string(),
    debugId: z.string(),
    codeId: z.string().nullable(),
    cpuName: z.string(),
    objectName: z.string(),
    symbolType: z.string(),
    headers: z.record(z.string(), z.string()),
    size: z.int(),
    sha1: z.string(),
    dateCreated: Time,
    data: z.object({ type: z.string(), features: z.array(z.string()) }),
  })
  .meta({ id: 'DebugFile' })

const SentFile = z.object({
  name: z.string(),
  debug_id: z.string().nullish(),
  chunks: z.array(z.string()).optional().meta({ description: 'SHA-1 of each piece, in order.' }),
})

const LIST = '/projects/:org/:project/files/dsyms'

export function debugFileRoutes(api: Api, { queries, commands, publicUrl }: ApiOptions): void {
  api.post(
    '/projects/:org/:project/files/difs/assemble',
    {
      id: 'assembleDebugFiles',
      summary: 'Make debug files of pieces',
      tag: 'Uploads',
      permission: 'release:write',
      body: takenByName(z.record(z.string(), SentFile), 'By SHA-1 of the whole.'),
      maxBytes: API_BODY_BYTES.assembleJson,
      answer: z.record(z.string(), StateShape.extend({ dif: Dif.nullable() })),
    },
    async ({ c, grant, body }) => {
      const given = Object.entries(body)
      if (given.length > MAX_FILES)
        throw new InvalidInput('assemble debug files', { detail: [`at most ${MAX_FILES} files at once`] })
      const states = await Promise.all(
        given.map(async ([checksum, value]): Promise<readonly [string, State]> => {
          const { name, debug_id: debugId, chunks } = fieldsOf(value)
          const input = { checksum, chunks: chunks ?? [], name, debugId: debugId ?? undefined }
          return [checksum, await stateOf(assembleDebugFile(commands, grant, input, WAIT_MS))]
        }),
      )
      const stored = states
        .filter(([, { state }]) => state === 'ok')
        .map(([checksum]) => checksum.toLowerCase())
      const difs = new Map<string, ReturnType<typeof difJson>>()
      if (stored.length > 0) {
        const reading = await projectGrant(c, 'project:read').catch(() => undefined)
        const found = reading && (await debugFiles(queries, reading, { checksums: stored, limit: MAX_FILES }))
        for (const row of found?.rows ?? []) difs.set(row.sha1, difJson(row))
      }
      return Object.fromEntries(
        states.map(([checksum, state]) => [
          checksum,
          { ...state, dif: difs.get(checksum.toLowerCase()) ?? null },
        ]),
      )
    },
  )

  api.get(
    LIST,
    {
      id: 'listDebugFiles',
      summary: 'List debug files',
      tag: 'Uploads',
      permission: 'project:read',
      query: z.object({
        query: text('Looked for in names and ids.'),
        debug_id: text('The same.'),
        code_id: text('The same.'),
      }),
      pages: true,
      answer: z.array(Dif),
    },
    async ({ c, grant, query, page: { cursor: asked, limit } }) => {
      const cursor = parseCursor(asked)
      const page = await debugFiles(queries, grant, {
        text: query.query ?? query.debug_id ?? query.code_id ?? '',
        limit,
        ...(cursor && { cursor }),
      })
      setLink(c, publicUrl, page)
      return page.rows.map(difJson)
    },
  )

  api.delete(
    LIST,
    {
      id: 'deleteDebugFile',
      summary: 'Delete a debug file, and what was uploaded with it',
      tag: 'Uploads',
      permission: 'release:write',
      query: z.object({ id: text('Id of an upload.') }),
    },
    ({ grant, query }) => {
      const id = Number(query.id)
      if (!Number.isSafeInteger(id) || id < 1)
        throw new SondeError('invalid', 'which file is to be deleted stands in "id"', {
          operation: 'delete a debug file',
        })
      return deleteUpload(commands, grant, { id })
    },
  )
}

/** What is wrong with one file must not keep the others from being stored: sentry-cli prints its `detail`. */
async function stateOf(assembly: Promise<Assembly>): Promise<State> {
  try {
    const done = await assembly
    const missingChunks = done.state === 'not_found' ? done.missingChunks : []
    return { state: done.state, missingChunks, detail: null }
  } catch (error) {
    if (!(error instanceof SondeError) || error.kind !== 'invalid') throw error
    return { state: 'error', missingChunks: [], detail: error.message }
  }
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}

const difJson = (row: DebugFileRow) => ({
  id: String(row.uploadId),
  uuid: row.debugId,
  debugId: row.debugId,
  codeId: row.codeId === '' ? null : row.codeId,
  cpuName: row.cpu,
  objectName: row.name,
  symbolType: row.type,
  headers: { 'Content-Type': 'application/octet-stream' },
  size: row.bytes,
  sha1: row.sha1,
  dateCreated: isoDate(row.createdMs),
  data: { type: 'dbg', features: row.features },
})
