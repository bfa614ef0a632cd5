/** Searches for text look at those issues alone that the index of texts names, unless it names very many. */
import { type TextIndex, textIndexOf } from '@sonde/stores'
import type { QueryDeps } from '../query-deps.ts'
import { issueFieldOf, type IssueTerm } from './search-fields.ts'
import type { SearchValue } from './search-term.ts'

/**
 * One in twenty of 100,000 issues. Where more match, a walk along the order of the list finds a page's worth of them
 * sooner than all of them could be sorted.
 */
const MAX_INDEXED = 5_000

export type IndexedText = NonNullable<ReturnType<TextIndex['issuesWith']>>

/** Undefined: no text to look up, or too many have it. The rows are a superset: the terms themselves still decide. */
export async function indexedText(
  { records }: Pick<QueryDeps, 'records'>,
  terms: readonly IssueTerm[],
): Promise<IndexedText | undefined> {
  const texts = terms.flatMap(textsOf)
  const index = textIndexOf(records)
  const probe = index.issuesWith(texts, MAX_INDEXED + 1)
  if (!probe) return undefined
  const { rows } = await probe.execute(records)
  return rows.length > MAX_INDEXED ? undefined : index.issuesWith(texts, MAX_INDEXED)
}

/** What every issue that fulfils the term has in its title or culprit. One of several values says nothing of each. */
function textsOf(term: IssueTerm): readonly string[] {
  if (term.negated || term.kind === 'has') return []
  if (term.kind === 'text') return partsOf(term.value)
  const field = issueFieldOf(term.key)
  const [only, ...others] = term.values
  return only && others.length === 0 && (field === 'title' || field === 'culprit') ? partsOf(only) : []
}

/** As `like` compares them: lower case on both sides. */
const partsOf = ({ parts }: SearchValue): readonly string[] => parts.map((part) => part.toLowerCase())
