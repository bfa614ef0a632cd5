/** Serves the document of all routes. It says nothing about who uses this Sonde, so anybody may read it. */
import type { ApiOptions } from '../api-context.ts'
import type { Api } from '../described-routes.ts'
import { media } from '../operation.ts'
import { openApiDocument } from './document.ts'
import { publicFile } from './public-file.ts'

export function documentRoutes(api: Api, { publicUrl, version = '0' }: ApiOptions): void {
  const serverUrl = `${publicUrl}/api/0`
  // Made for the first who asks: by then every route is registered.
  const read = () => JSON.stringify(openApiDocument({ operations: api.operations, serverUrl, version }))
  const answer = publicFile('application/json', read, { 'access-control-allow-origin': '*' })

  api.get(
    '/openapi.json',
    {
      id: 'getOpenApiDocument',
      summary: 'Read this document',
      tag: 'Account',
      isPublic: true,
      answer: media('application/json', 'OpenAPI 3.1.'),
    },
    ({ c }) => answer(c),
  )
}
