/** The screen of source maps: all uploads and what could not be read, or one upload with its files. */
import type { ProjectScope } from '@sonde/access'
import {
  actorNames,
  FILES_SEARCHED_IN,
  findUpload,
  parseCursor,
  parsePeriodMs,
  recentRepairs,
  unreadableEvents,
  type Upload,
  type UploadsInput,
  uploadFiles,
  uploads,
} from '@sonde/queries'
import { type LoadArgs, notFound } from '@sonde/router/server'
import { artifactUsage } from '@sonde/stores'
import { sentenceOf } from '../../../../parts/event/doctor/frame-reasons.ts'
import type { AppContext } from '../../../../server/app-context.server.ts'
import { mayInOrg, projectScope } from '../../../../parts/access/page-scope.server.ts'
import { usedText } from './used-text.ts'
import { readUploadSearch, UNREADABLE_PERIODS } from './upload-search.ts'

type Args = LoadArgs<AppContext, 'org' | 'project'>

export async function loadSourceMaps(args: Args) {
  const { context, url } = args
  const scope = await projectScope(args, 'event:read')
  const search = readUploadSearch(url.searchParams)
  const { queries, publicUrl } = context
  const [mayDelete, usage] = await Promise.all([
    mayInOrg(args, 'release:write'),
    artifactUsage(queries.records, scope.orgId),
  ])
  const place = { url: publicUrl, org: scope.orgSlug, project: scope.projectSlug }
  const quota = { ...usage, quotaBytes: context.commands.uploads?.quotaBytes }
  const shared = { search, place, quota, mayDelete }
  return search.upload === undefined
    ? { ...shared, ...(await loadAll(args, scope, search)) }
    : { ...shared, ...(await loadOne(args, scope, search, search.upload)) }
}

type Search = ReturnType<typeof readUploadSearch>

async function loadAll({ context: { queries } }: Args, scope: ProjectScope, search: Search) {
  const toMs = queries.clock.nowMs()
  const fromMs = toMs - (parsePeriodMs(search.period) ?? parsePeriodMs(UNREADABLE_PERIODS[0]) ?? 0)
  const [page, unreadable, repairs] = await Promise.all([
    uploads(queries, scope, { text: search.q, ...cursorOf(search) }),
    unreadableEvents(queries, scope, { fromMs, toMs }),
    recentRepairs(queries, scope),
  ])
  const names = await actorNames(
    queries.records,
    [...page.rows, ...repairs].map(({ actor }) => actor),
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
    repairs: repairs.map((repair) => ({ ...repair, by: names.get(repair.actor) ?? '' })),
  }
}

async function loadOne({ context: { queries } }: Args, scope: ProjectScope, search: Search, id: number) {
  const upload = (await findUpload(queries, scope, id)) ?? notFound()
  const [files, names] = await Promise.all([
    uploadFiles(queries, scope, { uploadId: id, text: search.file, ...cursorOf(search) }),
    actorNames(queries.records, [upload.actor]),
  ])
  return { upload: withTexts(upload, names, queries.clock.nowMs()), files }
}

const withTexts = (upload: Upload, names: ReadonlyMap<string, string>, nowMs: number) => ({
  ...upload,
  by: names.get(upload.actor) ?? '',
  used: usedText(upload.lastUsedMs, nowMs),
})

/** One that nobody gave is the first page. */
function cursorOf({ cursor }: Search): Pick<UploadsInput, 'cursor'> {
  const parsed = parseCursor(cursor)
  return parsed ? { cursor: parsed } : {}
}
