/** Programs of an item: a collector's request holds spans, lines or metrics of several, which are filtered apart. */
import { isReleaseName } from '../normalize/release.ts'
import type { EnvelopeFacts } from '../stages/event-input.ts'
import { filterReason } from '../stages/filter.ts'
import { type Attributes, RELEASE_ATTRIBUTES, textOf } from './attributes.ts'
import { factsOfAttributes } from './facts-of-attributes.ts'

type Told = { readonly attributes: Readonly<Attributes> }
type Filters = Parameters<typeof filterReason>[1]

export const programOf = ({ attributes }: Told): string => textOf(attributes, ...RELEASE_ATTRIBUTES)

/** Why the project's filters leave a program out, as far as the first of what it told says; undefined: they do not. */
export function programFilterReason(first: Told | undefined, envelope: EnvelopeFacts, filters: Filters) {
  if (first === undefined) return filterReason({}, filters)
  const { attributes } = first
  const agent = textOf(attributes, 'user_agent.original') || (envelope.userAgent ?? '')
  return filterReason(
    {
      release: factsOfAttributes(attributes, envelope).release,
      request: { url: textOf(attributes, 'url.full', 'url'), headers: [['User-Agent', agent]] },
    },
    filters,
  )
}

/** Several programs, but not more than these. */
const MAX_ITEM_RELEASES = 50

export const releasesOfItem = (releases: ReadonlySet<string>): readonly string[] =>
  [...releases].filter(isReleaseName).slice(0, MAX_ITEM_RELEASES)
