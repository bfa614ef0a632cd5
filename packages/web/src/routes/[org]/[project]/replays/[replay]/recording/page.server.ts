/** As JSON: segments of the recording from `?from=`, some megabytes at a time. */
import { readRecordingPage } from '@sonde/queries'
import { type LoadArgs, notFound } from '@sonde/router/server'
import { projectGrant } from '../../../../../../parts/access/page-grant.server.ts'
import type { AppContext } from '../../../../../../server/app-context.server.ts'

export async function load(args: LoadArgs<AppContext, 'org' | 'project' | 'replay'>) {
  const { context, params, url } = args
  const grant = await projectGrant(args, 'event:read')
  const from = url.searchParams.get('from') ?? '0'
  if (!/^\d{1,6}$/.test(from)) return notFound()
  const deps = { records: context.queries.records, blobs: context.blobs }
  const { segments, unreadable, next } = await readRecordingPage(deps, grant, {
    replayId: params.replay,
    from: Number(from),
  })
  // As stored: to read it only to write it again would cost seconds of everybody's time.
  const body = `{"segments":[${segments.map(({ events }) => events).join(',')}],"unreadable":${JSON.stringify(unreadable)},"next":${next ?? 'null'}}`
  return new Response(body, {
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      // Text of strangers: read by the player, never shown as a page.
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    },
  })
}
