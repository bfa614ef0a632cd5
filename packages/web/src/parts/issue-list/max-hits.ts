/** As `MAX_HITS` of queries, whose module must not reach the browser; a test holds the two together. */
export const MAX_HITS = 1_000
