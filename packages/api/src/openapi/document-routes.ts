/** Serves the document of all routes. It says nothing about who uses this Sonde, so anybody may read it. */
import { createHash } from 'node:crypto'
import type { ApiOptions } from '../api-context.ts'
import type { Api } from '../described-routes.ts'
import { media } from '../operation.ts'
import { openApiDocument } from './document.ts'

export function documentRoutes(api: Api, { publicUrl, version = '0' }: ApiOptions): void {
  let made: { readonly text: string; readonly etag: string } | undefined
  // Made for the first who asks: by then every route is registered.
  const document = () => {
    if (made) return made
    const serverUrl = `${publicUrl}/api/0`
    const text = JSON.stringify(openApiDocument({ operations: api.operations, serverUrl, version }))
    return (made = { text, etag: `"${createHash('sha256').update(text).digest('base64url')}"` })
  }

  api.get(
    '/openapi.json',
    {
      id: 'getOpenApiDocument',
      summary: 'Read this document',
      tag: 'Account',
      isPublic: true,
      answer: media('application/json', 'OpenAPI 3.1.'),
    },
    ({ c }) => {
      const { text, etag } = document()
      const headers = { etag, 'cache-control': 'public, no-cache' }
      if (c.req.header('if-none-match') === etag) return c.body(null, 304, headers)
      return c.body(text, 200, {
        ...headers,
        'content-type': 'application/json',
        'access-control-allow-origin': '*',
      })
    },
  )
}
