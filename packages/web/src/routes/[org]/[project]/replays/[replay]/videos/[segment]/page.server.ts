/** The video of a segment, or the part of it that the player asks for. */
import { openReplayVideo, replayVideoAnswer } from '@sonde/queries'
import { type LoadArgs, notFound } from '@sonde/router/server'
import { orEndPage, projectGrant } from '../../../../../../../parts/access/page-grant.server.ts'
import type { AppContext } from '../../../../../../../server/app-context.server.ts'

export async function load(args: LoadArgs<AppContext, 'org' | 'project' | 'replay' | 'segment'>) {
  const { context, params, request } = args
  const grant = await projectGrant(args, 'event:read')
  if (!/^\d{1,6}$/.test(params.segment)) return notFound()
  const deps = { records: context.queries.records, blobs: context.blobs }
  const wanted = { replayId: params.replay, segment: Number(params.segment) }
  const video = await orEndPage(openReplayVideo(deps, grant, wanted))
  return video ? replayVideoAnswer(video, request.headers.get('range')) : notFound()
}
