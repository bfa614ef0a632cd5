import type { QueryParams } from '@sonde/stores'

type Span = { readonly sinceMs: number | undefined; readonly untilMs: number | undefined }

/** Events of a span as a ClickHouse condition that stands behind AND; parameters `since` and `until`. */
export function timeCondition({ sinceMs, untilMs }: Span): {
  readonly sql: string
  readonly params: QueryParams
} {
  return {
    sql: [
      '1',
      ...(sinceMs === undefined ? [] : ['timestamp >= {since:DateTime64(3)}']),
      ...(untilMs === undefined ? [] : ['timestamp < {until:DateTime64(3)}']),
    ].join(' AND '),
    params: {
      ...(sinceMs === undefined ? {} : { since: sinceMs }),
      ...(untilMs === undefined ? {} : { until: untilMs }),
    },
  }
}
