/** Files of a release one by one, as older uploaders send, list and delete them. */
import { createSemaphore, SondeError } from '@sonde/base'
import { deleteReleaseArtifacts, deleteReleaseFile, saveReleaseFile } from '@sonde/commands'
import { parseCursor, type ReleaseFile, releaseFiles } from '@sonde/queries'
import { type Api, type ApiContext, type ApiOptions, grantOfPath, pathParam } from '../api-context.ts'
import { API_BODY_BYTES } from '../json-body.ts'
import { type FormFile, readForm } from '../multipart.ts'
import { limitParam, setLink } from '../request-params.ts'
import { isoDate } from '../serializers/date.ts'
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

export function releaseFileRoutes(api: Api, options: ApiOptions): void {
  const { queries, commands, publicUrl } = options
  const enter = createSemaphore(FILES_AT_ONCE, {
    waitMs: ENTER_WITHIN_MS,
    operation: 'take an upload',
    what: 'uploads',
  })

  for (const releases of RELEASE_PATHS) {
    const base = `${releases}/:version/files`

    api.get(base, async (c) => {
      const page = await releaseFiles(queries, await grantOfPath(c, 'project:read'), {
        version: pathParam(c, 'version'),
        limit: limitParam(c),
        cursor: parseCursor(c.req.query('cursor')),
      })
      setLink(c, publicUrl, page)
      return c.json(page.rows.map((row) => fileJson(row)))
    })

    api.post(base, async (c) => {
      const grant = await grantOfPath(c, 'release:write')
      const leave = await enter()
      try {
        let file: FormFile | undefined
        const { fields } = await readForm(c, LIMITS, async (one) => {
          if (one.field === 'file') file = one
        })
        if (!file)
          throw new SondeError('invalid', 'the form has no part called "file"', { operation: 'take a file' })
        const dist = fields.get('dist')?.[0] ?? ''
        const input = {
          version: pathParam(c, 'version'),
          name: fields.get('name')?.[0] ?? `~/${file.fileName}`,
          dist,
          headers: fields.get('header') ?? [],
        }
        const saved = await saveReleaseFile(commands, grant, input, file.bytes)
        return c.json(fileJson({ ...saved, name: input.name, dist }), 201)
      } finally {
        leave()
      }
    })

    api.get(`${base}/:file`, async (c) => {
      const { rows } = await releaseFiles(queries, await grantOfPath(c, 'project:read'), {
        version: pathParam(c, 'version'),
        fileId: idOf(c),
      })
      return rows[0] ? c.json(fileJson(rows[0])) : c.notFound()
    })

    api.delete(`${base}/:file`, async (c) => {
      const grant = await grantOfPath(c, 'release:write')
      await deleteReleaseFile(commands, grant, {
        version: pathParam(c, 'version'),
        fileId: idOf(c),
      })
      return c.body(null, 204)
    })
  }

  // `sentry-cli releases files VERSION delete --all`
  for (const path of ['/projects/:org/:project/files/source-maps', '/organizations/:org/files/source-maps'])
    api.delete(path, async (c) => {
      await deleteReleaseArtifacts(commands, await grantOfPath(c, 'release:write'), {
        version: c.req.query('name') ?? '',
      })
      return c.body(null, 204)
    })
}

/** What is no number names none. */
const idOf = (c: ApiContext): number => Number(/^[1-9]\d{0,14}$/.exec(pathParam(c, 'file'))?.[0] ?? 0)

const fileJson = ({ id, name, dist, headers, bytes, sha1, createdMs }: ReleaseFile) => ({
  id: String(id),
  name,
  dist: dist === '' ? null : dist,
  headers: JSON.parse(headers) as object,
  size: bytes,
  sha1,
  dateCreated: isoDate(createdMs),
})
