/** Debug files as sentry-cli uploads, lists and deletes them: `debug-files upload`, `upload-proguard`. */
import { SondeError } from '@sonde/base'
import { type Assembly, assembleDebugFile, deleteUpload, InvalidInput } from '@sonde/commands'
import { type DebugFileRow, debugFiles, parseCursor } from '@sonde/queries'
import { type Api, type ApiContext, type ApiOptions, projectGrant } from '../api-context.ts'
import { API_BODY_BYTES, jsonBody } from '../json-body.ts'
import { limitParam, setLink } from '../request-params.ts'
import { isoDate } from '../serializers/date.ts'

/** sentry-cli asks about all that it found at once. */
const MAX_FILES = 1_000
/** All of a request wait together: the front gives an answer a minute. */
const WAIT_MS = 20_000

type State = {
  readonly state: string
  readonly missingChunks: readonly string[]
  readonly detail: string | null
}

export function debugFileRoutes(api: Api, { queries, commands, publicUrl }: ApiOptions): void {
  api.post('/projects/:org/:project/files/difs/assemble', async (c) => {
    const grant = await projectGrant(c, 'release:write')
    const body = await jsonBody(c, API_BODY_BYTES.assembleJson)
    if (body.names.length > MAX_FILES)
      throw new InvalidInput('assemble debug files', { detail: [`at most ${MAX_FILES} files at once`] })
    const states = await Promise.all(
      body.names.map(async (checksum): Promise<readonly [string, State]> => {
        const { name, debug_id: debugId, chunks } = fieldsOf(body.value(checksum))
        const input = { checksum, chunks: chunks ?? [], name, debugId: debugId ?? undefined }
        return [checksum, await stateOf(assembleDebugFile(commands, grant, input, WAIT_MS))]
      }),
    )
    const stored = states
      .filter(([, { state }]) => state === 'ok')
      .map(([checksum]) => checksum.toLowerCase())
    const difs = new Map<string, object>()
    if (stored.length > 0) {
      const reading = await projectGrant(c, 'project:read').catch(() => undefined)
      const found = reading && (await debugFiles(queries, reading, { checksums: stored, limit: MAX_FILES }))
      for (const row of found?.rows ?? []) difs.set(row.sha1, difJson(row))
    }
    return c.json(
      Object.fromEntries(
        states.map(([checksum, state]) => [
          checksum,
          { ...state, dif: difs.get(checksum.toLowerCase()) ?? null },
        ]),
      ),
    )
  })

  const list = '/projects/:org/:project/files/dsyms'
  api.get(list, async (c) => {
    const text = c.req.query('query') ?? c.req.query('debug_id') ?? c.req.query('code_id') ?? ''
    const cursor = parseCursor(c.req.query('cursor'))
    const page = await debugFiles(queries, await projectGrant(c, 'project:read'), {
      text,
      limit: limitParam(c),
      ...(cursor && { cursor }),
    })
    setLink(c, publicUrl, page)
    return c.json(page.rows.map(difJson))
  })

  // The id is that of the upload: what came together goes together.
  api.delete(list, async (c: ApiContext) => {
    const id = Number(c.req.query('id'))
    if (!Number.isSafeInteger(id) || id < 1)
      throw new SondeError('invalid', 'which file is to be deleted stands in "id"', {
        operation: 'delete a debug file',
      })
    await deleteUpload(commands, await projectGrant(c, 'release:write'), { id })
    return c.body(null, 204)
  })
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
