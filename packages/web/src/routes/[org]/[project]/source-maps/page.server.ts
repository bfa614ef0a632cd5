/** The screen of source maps: all uploads and what could not be read, or one upload with its files. */
import { type Grant, mayAlso } from '@sonde/access'
import { errorKind } from '@sonde/base'
import { deleteUpload, reprocessEvents } from '@sonde/commands'
import {
  actorNames,
  FILES_SEARCHED_IN,
  findUpload,
  parseCursor,
  parsePeriodMs,
  recentReprocessing,
  unreadableEvents,
  type Upload,
  uploadFiles,
  uploads,
  type UploadsInput,
} from '@sonde/queries'
import {
  type ActionArgs,
  httpError,
  type Invalid,
  invalid,
  type LoadArgs,
  notFound,
  redirect,
} from '@sonde/router/server'
import { artifactUsage } from '@sonde/stores'
import { daysAgo } from '../../../../format/format-time.ts'
import { projectGrant } from '../../../../parts/access/page-grant.server.ts'
import { sentenceOf } from '../../../../parts/event/doctor/frame-reasons.ts'
import { fieldsOf, type RefusedForm } from '../../../../parts/forms/posted-fields.ts'
import { paths } from '../../../../paths.ts'
import type { AppContext } from '../../../../server/app-context.server.ts'
import { readUploadSearch, UNREADABLE_PERIODS } from './upload-search.ts'

type Args = LoadArgs<AppContext, 'org' | 'project'>

export async function load(args: Args) {
  const { context, url } = args
  const grant = await projectGrant(args, 'event:read')
  const search = readUploadSearch(url.searchParams)
  const { queries, publicUrl } = context
  const usage = await artifactUsage(queries.records, grant.orgId)
  const mayDelete = mayAlso(grant, 'release:write')
  const place = { url: publicUrl, org: grant.orgSlug, project: grant.projectSlug }
  const quota = { ...usage, quotaBytes: context.commands.uploads?.quotaBytes }
  const shared = { search, place, quota, mayDelete }
  return search.upload === undefined
    ? { ...shared, ...(await loadAll(args, grant, search)) }
    : { ...shared, ...(await loadOne(args, grant, search, search.upload)) }
}

/** 303 to the list with `?saved=…`, or 422 when it was not confirmed. */
export async function action(args: ActionArgs<AppContext, 'org' | 'project'>): Promise<Invalid<RefusedForm>> {
  const posted = fieldsOf(await args.formData())
  const form = posted.text('form')
  const grant = await projectGrant(args, 'release:write')
  const here = paths.sourceMaps(grant.orgSlug, grant.projectSlug)
  if (form === 'reprocess') {
    await reprocessEvents(args.context.commands, grant, {})
    return redirect(`${here}?saved=reprocess-requested`, 303)
  }
  if (form !== 'delete-upload') return httpError(400)
  const id = Number(posted.text('uploadId'))
  if (!Number.isSafeInteger(id) || id < 1) return notFound()
  if (posted.text('confirm') !== 'on')
    return invalid({
      form: 'delete-upload',
      fields: { confirm: ['check the box to delete the upload'] },
    })
  try {
    await deleteUpload(args.context.commands, grant, { id })
  } catch (error) {
    // Somebody else deleted it, which is what was wanted.
    if (errorKind(error) !== 'not-found') throw error
  }
  return redirect(`${here}?saved=upload-deleted`, 303)
}

type Search = ReturnType<typeof readUploadSearch>

async function loadAll(
  { context: { queries } }: Args,
  grant: Grant<'event:read', 'project'>,
  search: Search,
) {
  const toMs = queries.clock.nowMs()
  const fromMs = toMs - (parsePeriodMs(search.period) ?? parsePeriodMs(UNREADABLE_PERIODS[0]) ?? 0)
  const [page, unreadable, reprocessing] = await Promise.all([
    uploads(queries, grant, { text: search.q, ...cursorOf(search) }),
    unreadableEvents(queries, grant, { fromMs, toMs }),
    recentReprocessing(queries, grant),
  ])
  const names = await actorNames(
    queries.records,
    [...page.rows, ...reprocessing].map(({ actor }) => actor),
  )
  return {
    uploads: {
      ...page,
      rows: page.rows.map((row) => withTexts(row, names, toMs)),
      filesSearchedIn: FILES_SEARCHED_IN,
    },
    unreadable: {
      ...unreadable,
      groups: unreadable.groups.map((group) => ({ ...group, why: sentenceOf(group.reason) })),
    },
    reprocessing: reprocessing.map((run) => ({ ...run, by: names.get(run.actor) ?? '' })),
  }
}

async function loadOne(
  { context: { queries } }: Args,
  grant: Grant<'event:read', 'project'>,
  search: Search,
  id: number,
) {
  const upload = (await findUpload(queries, grant, id)) ?? notFound()
  const [files, names] = await Promise.all([
    uploadFiles(queries, grant, { uploadId: id, text: search.file, ...cursorOf(search) }),
    actorNames(queries.records, [upload.actor]),
  ])
  return { upload: withTexts(upload, names, queries.clock.nowMs()), files }
}

const withTexts = (upload: Upload, names: ReadonlyMap<string, string>, nowMs: number) => ({
  ...upload,
  by: names.get(upload.actor) ?? '',
  used: daysAgo(upload.lastUsedMs, nowMs),
})

/** One that nobody gave is the first page. */
function cursorOf({ cursor }: Search): Pick<UploadsInput, 'cursor'> {
  const parsed = parseCursor(cursor)
  return parsed ? { cursor: parsed } : {}
}
