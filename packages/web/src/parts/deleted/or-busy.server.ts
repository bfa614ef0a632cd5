import { errorKind } from '@sonde/base'
import { redirect } from '@sonde/router/server'
import { orEndPage } from '../access/page-grant.server.ts'

/** While events of the project move or are erased nothing was changed: the page at `path` says so. */
export async function orBusy<Result>(path: string, job: Promise<Result>): Promise<Result> {
  try {
    return await orEndPage(job)
  } catch (error) {
    const kind = errorKind(error)
    if (kind === 'conflict' || kind === 'unavailable') return redirect(path, 303)
    throw error
  }
}
