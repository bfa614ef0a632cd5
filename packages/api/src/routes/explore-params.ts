/** Parameters of Explore's endpoints. */
import { SondeError } from '@sonde/base'
import { EXPLORE_DATASETS, type ExploreDataset, ExploreError, valueText } from '@sonde/queries'
import type { z } from 'zod'
import { PERFORMANCE, text, texts } from '../query-schemas.ts'

/** What a table and a line of Explore have in common. */
export const EXPLORE = {
  ...PERFORMANCE,
  dataset: text(`One of ${EXPLORE_DATASETS.map(({ name }) => name).join(', ')}: docs/explore.md.`),
  query: text('A search.'),
  field: texts('Fields and measures; what is in it depends on the dataset.'),
  sort: text('A field or measure; with `-` the largest first.'),
  orderby: text('What clients called `sort` before.'),
  project: texts('Ids or slugs of projects; -1 and none: all of them.'),
}
export type ExploreQuery = z.output<z.ZodObject<typeof EXPLORE>>

/** Throws `SondeError` (`invalid`) for one that nobody knows. */
export function datasetOf({ dataset: wanted = '' }: ExploreQuery): ExploreDataset {
  const dataset = EXPLORE_DATASETS.find(({ name, aliases }) => name === wanted || aliases.includes(wanted))
  if (dataset) return dataset
  const known = EXPLORE_DATASETS.map(({ name }) => `dataset=${name}`).join(', ')
  throw invalid(`dataset "${wanted}" is not known: use one of ${known}`)
}

export const sortOf = ({ orderby, sort = orderby }: ExploreQuery): { sort?: string } =>
  sort === undefined ? {} : { sort }

/** The search, narrowed to the projects that are named. */
export const searchOf = (query: ExploreQuery): string => `${query.query ?? ''}${projectTerm(query)}`

function projectTerm({ project = [] }: ExploreQuery): string {
  const named = project.filter((each) => each !== '' && each !== '-1')
  if (named.length === 0) return ''
  const areIds = named.every((each) => /^\d{1,9}$/.test(each))
  return ` ${areIds ? 'project.id' : 'project'}:[${named.map((each) => valueText(each)).join(', ')}]`
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
