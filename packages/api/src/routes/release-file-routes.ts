/** Files of a release one by one, as older uploaders send, list and delete them. */
import { createSemaphore, SondeError } from '@sonde/base'
import { deleteReleaseArtifacts, deleteReleaseFile, saveReleaseFile } from '@sonde/commands'
import { parseCursor, type ReleaseFile, releaseFiles } from '@sonde/queries'
import { z } from 'zod'
import type { ApiOptions } from '../api-context.ts'
import type { Api } from '../described-routes.ts'
import { API_BODY_BYTES } from '../json-body.ts'
import { type FormFile, readForm } from '../multipart.ts'
import { media } from '../operation.ts'
import { setLink } from '../pages.ts'
import { text } from '../query-schemas.ts'
import { isoDate, Time } from '../serializers/date.ts'
import { RELEASE_PATHS } from './release-routes.ts'

const MIB = 1024 * 1024
const LIMITS = {
  requestBytes: API_BODY_BYTES.releaseFile,
  fileBytes: 32 * MIB,
  files: 1,
  fields: 64,
} as const
const FILES_AT_ONCE = 4
const ENTER_WITHIN_MS = 30_000

const reads = { tag: 'Releases', permission: 'project:read' } as const
const writes = { tag: 'Releases', permission: 'release:write' } as const

const ReleaseFileShape = z
  .object({
    id: z.string(),
    name: z.string(),
    dist: z.string().nullable(),
    headers: z.record(z.string(), z.string()),
    size: z.int(),
    sha1: z.string(),
    dateCreated: Time,
  })
  .meta({ id: 'ReleaseFile' })

const Form = z.object({
  file: z.file(),
  name: z.string().optional(),
  dist: z.string().optional(),
  header: z.array(z.string()).optional(),
})

export function releaseFileRoutes(api: Api, options: ApiOptions): void {
  const { queries, commands, publicUrl } = options
  const enter = createSemaphore(FILES_AT_ONCE, {
    waitMs: ENTER_WITHIN_MS,
    operation: 'take an upload',
    what: 'uploads',
  })

  for (const releases of RELEASE_PATHS) {
    const base = `${releases}/:version/files` as const
    const one = `${base}/:file` as const

    api.get(
      base,
      {
        ...reads,
        id: 'listReleaseFiles',
        summary: 'List the files of a release',
        pages: true,
        answer: z.array(ReleaseFileShape),
      },
      async ({ c, grant, params: { version }, page: { cursor, limit } }) => {
        const page = await releaseFiles(queries, grant, { version, limit, cursor: parseCursor(cursor) })
        setLink(c, publicUrl, page)
        return page.rows.map(fileJson)
      },
    )

    api.post(
      base,
      {
        ...writes,
        id: 'uploadReleaseFile',
        summary: 'Upload a file of a release',
        body: media('multipart/form-data', 'The file as `file`.', Form),
        answer: ReleaseFileShape,
        status: 201,
        errors: { 409: 'There is a file of this name.', 503: 'Too many uploads at once.' },
      },
      async ({ c, grant, params: { version } }) => {
        const leave = await enter()
        try {
          let file: FormFile | undefined
          const { fields } = await readForm(c, LIMITS, async (part) => {
            if (part.field === 'file') file = part
          })
          if (!file)
            throw new SondeError('invalid', 'the form has no part called "file"', {
              operation: 'take a file',
            })
          const dist = fields.get('dist')?.[0] ?? ''
          const name = fields.get('name')?.[0] ?? `~/${file.fileName}`
          const input = { version, name, dist, headers: fields.get('header') ?? [] }
          const saved = await saveReleaseFile(commands, grant, input, file.bytes)
          return fileJson({ ...saved, name, dist })
        } finally {
          leave()
        }
      },
    )

    api.get(
      one,
      { ...reads, id: 'getReleaseFile', summary: 'Read what is known of a file', answer: ReleaseFileShape },
      async ({ grant, params: { version, file } }) => {
        const { rows } = await releaseFiles(queries, grant, { version, fileId: idOf(file) })
        return rows[0] && fileJson(rows[0])
      },
    )

    api.delete(
      one,
      { ...writes, id: 'deleteReleaseFile', summary: 'Delete a file of a release' },
      ({ grant, params: { version, file } }) =>
        deleteReleaseFile(commands, grant, { version, fileId: idOf(file) }),
    )
  }

  // `sentry-cli releases files VERSION delete --all`
  for (const path of [
    '/organizations/:org/files/source-maps',
    '/projects/:org/:project/files/source-maps',
  ] as const)
    api.delete(
      path,
      {
        ...writes,
        id: 'deleteSourceMaps',
        summary: 'Delete all files of a release',
        query: z.object({ name: text('The version of the release.') }),
      },
      ({ grant, query: { name: version = '' } }) => deleteReleaseArtifacts(commands, grant, { version }),
    )
}

/** What is no number names none. */
const idOf = (ref: string): number => Number(/^[1-9]\d{0,14}$/.exec(ref)?.[0] ?? 0)

const fileJson = ({ id, name, dist, headers, bytes, sha1, createdMs }: ReleaseFile) => ({
  id: String(id),
  name,
  dist: dist === '' ? null : dist,
  headers: JSON.parse(headers) as Record<string, string>,
  size: bytes,
  sha1,
  dateCreated: isoDate(createdMs),
})
