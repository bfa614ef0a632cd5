/** Endpoints that SDKs know and Sonde does not take yet: an honest 404, and a count of what was missed. */
import type { DataCategory } from '@sonde/protocol'
import { refuse } from '../refusal.ts'
import type { EndpointTools, RequestContext } from '../request-context.ts'

const CATEGORIES: readonly (readonly [start: string, category: DataCategory])[] = [
  ['minidump', 'error'],
  ['playstation', 'error'],
  ['upload', 'attachment'],
  ['integration', 'log_item'],
]

/** Always throws. The body is not read; counted for the key's project if memory knows the key. */
export async function unsupportedEndpoint(tools: EndpointTools, context: RequestContext): Promise<never> {
  const { endpoint, req } = context
  const what = endpoint.what ?? ''
  const category = CATEGORIES.find(([start]) => what.startsWith(start))?.[1] ?? 'default'
  const auth = tools.readRequestAuth(req, endpoint.query)
  if (auth) context.owner = await tools.lookUpKey(auth.publicKey)
  tools.outcomes.add(context.owner, category, 'unsupported', 'not_yet_shown', 1)
  throw refuse(404, 'unsupported_endpoint', `"${what.slice(0, 64)}" is not supported by Sonde yet`, {
    isCounted: true,
  })
}
