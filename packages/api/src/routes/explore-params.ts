/** Parameters of Explore's endpoints. */
import { SondeError } from '@sonde/base'
import { type ExploreDataset, ExploreError, valueText } from '@sonde/queries'
import type { ApiContext } from '../api-context.ts'

/** Throws `SondeError` (`invalid`) for one that nobody knows. */
export function datasetParam(c: ApiContext, datasets: readonly ExploreDataset[]): ExploreDataset {
  const wanted = c.req.query('dataset') ?? ''
  const dataset = datasets.find(({ name, aliases }) => name === wanted || aliases.includes(wanted))
  if (dataset) return dataset
  const known = datasets.map(({ name }) => `dataset=${name}`).join(', ')
  throw invalid(`dataset "${wanted}" is not known: use one of ${known}`)
}

/** `orderby` is what clients called it before. */
export const sortParam = (c: ApiContext): { sort?: string } => {
  const sort = c.req.query('sort') ?? c.req.query('orderby')
  return sort === undefined ? {} : { sort }
}

/** The search, narrowed to the projects that are named. */
export const queryParam = (c: ApiContext): string => `${c.req.query('query') ?? ''}${projectTerm(c)}`

/** Ids or short names; `-1` is Sentry's "all projects", and so is none. */
function projectTerm(c: ApiContext): string {
  const named = (c.req.queries('project') ?? []).filter((project) => project !== '' && project !== '-1')
  if (named.length === 0) return ''
  const areIds = named.every((project) => /^\d{1,9}$/.test(project))
  return ` ${areIds ? 'project.id' : 'project'}:[${named.map((project) => valueText(project)).join(', ')}]`
}

/** What to do stands in the hint, and clients show `detail` alone. */
export async function asInvalid<Result>(job: () => Promise<Result>): Promise<Result> {
  try {
    return await job()
  } catch (error) {
    if (!(error instanceof ExploreError) || error.hint === undefined) throw error
    throw invalid(`${error.message}. ${error.hint}`)
  }
}

export const invalid = (message: string): SondeError =>
  new SondeError('invalid', message, { operation: 'explore', subject: 'the parameters' })
