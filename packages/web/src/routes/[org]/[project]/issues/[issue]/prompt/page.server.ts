/** An issue as a question to a language model, as Markdown: what "Copy as prompt" copies. */
import type { LoadArgs } from '@sonde/router/server'
import { projectGrant } from '../../../../../../parts/access/page-grant.server.ts'
import type { AppContext } from '../../../../../../server/app-context.server.ts'
import { loadPrompt } from '../load-prompt.server.ts'

export async function load(args: LoadArgs<AppContext, 'org' | 'project' | 'issue'>): Promise<Response> {
  const grant = await projectGrant(args, 'event:read')
  const text = await loadPrompt(args, grant, args.url.searchParams.get('event') ?? undefined)
  return new Response(text, {
    headers: { 'content-type': 'text/markdown; charset=utf-8', 'cache-control': 'private, no-store' },
  })
}
