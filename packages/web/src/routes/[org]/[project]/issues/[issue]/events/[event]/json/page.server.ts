import type { LoadArgs } from '@sonde/router/server'
import { notFound } from '@sonde/router/server'
import type { AppContext } from '../../../../../../../../server/app-context.server.ts'
import { loadIssuePage } from '../../../load-issue-page.server.ts'

/** The stored event as it is, to save or to read with other tools. */
export async function load(args: LoadArgs<AppContext, 'org' | 'project' | 'issue' | 'event'>) {
  const { detail } = await loadIssuePage(args, args.params.event)
  if (!detail) return notFound()
  return new Response(`${JSON.stringify(detail.event, undefined, 2)}\n`, {
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      // Text of strangers: shown, never run.
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    },
  })
}
