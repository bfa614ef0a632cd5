/** Why a source map is refused. What somebody reads stands in `detail`. */
export const MAP_PROBLEMS = [
  /** More bytes than may be read at once. */
  'too_large',
  /** No JSON object: truncated, an HTML error page, another file. */
  'not_json',
  'version',
  /** A field is missing or of another type than ECMA-426 says. */
  'field',
  /** `mappings` ends within a number, has letters that are none of base64, or too many or few numbers. */
  'mappings',
  /** A number points outside of `sources` or `names`, below 0 or above 2³¹−1. */
  'out_of_range',
  /** Sections that overlap, are out of order or within each other, or lie at another address. */
  'sections',
] as const
export type MapProblem = (typeof MAP_PROBLEMS)[number]

export class MapError extends Error {
  readonly problem: MapProblem
  constructor(problem: MapProblem, detail: string) {
    super(detail)
    this.problem = problem
  }
}
