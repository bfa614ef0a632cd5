/**
 * Rows that the pipeline stored → many more of them, by the engine itself: `copy` number n takes one stored page, request
 * or event and gives it ids, time, person, release, browser and lengths of its own. Drawn from hashes of n, so each load
 * is the same.
 */

/** `share`: of all rows asked for. `unit`: what is copied as a whole. */
export type Multiplied = {
  readonly table: 'spans' | 'vitals' | 'navigations' | 'prefetches' | 'events'
  /** Which stored rows: a condition. */
  readonly from: string
  readonly unit: string
  /** A list for each row: the row comes once for each of its members, as `told`. */
  readonly told?: string
  /** Columns that differ from copy to copy, by expressions over the stored row and `copy`. */
  readonly columns: Readonly<Record<string, string>>
}

/** 0 ≤ … < 1, another for each salt and copy. */
export const drawn = (salt: string): string => `(cityHash64(copy, '${salt}') / 18446744073709551616.)`
const digits = (of: string, count: 16 | 32): string =>
  `lower(hex(${count === 32 ? 'sipHash128' : 'sipHash64'}(copy, ${of})))`
const choice = (salt: string, values: readonly string[], shares: readonly number[]): string => {
  let sum = 0
  const cases = values
    .slice(0, -1)
    .map((value, at) => `${drawn(salt)} < ${(sum += shares[at] ?? 0).toFixed(3)}, '${value}'`)
  return `multiIf(${cases.join(', ')}, '${values.at(-1) ?? ''}')`
}
/** Half as long to twice as long, seldom four times. */
export const stretch = (salt: string): string =>
  `exp(0.6 * sqrt(-2 * log(1 - ${drawn(`${salt}1`)})) * cos(6.28318530718 * ${drawn(`${salt}2`)}))`

/** Of the copy, so that all rows of a trace say the same. `at`: when it began, Unix milliseconds. */
const FACTS = {
  release: `concat('shop@4.', toString(1 + intDiv(at - began, 129600000)), '.0')`,
  environment: choice('environment', ['production', 'staging', 'development'], [0.83, 0.13, 0.04]),
  user_key: `concat('id:', toString(toUInt32(50000 * pow(${drawn('user')}, 3))))`,
  browser: choice('browser', ['Chrome', 'Safari', 'Firefox', 'Edge', 'Opera'], [0.61, 0.18, 0.11, 0.08]),
  os: choice('os', ['Windows', 'macOS', 'Android', 'iOS', 'Linux'], [0.5, 0.22, 0.16, 0.09]),
  device: choice('device', ['desktop', 'mobile', 'tablet'], [0.72, 0.24]),
  country: choice(
    'country',
    ['DE', 'US', 'FR', 'GB', 'NL', 'PL', 'ES', 'IN', 'BR', ''],
    [0.3, 0.22, 0.1, 0.08, 0.07, 0.06, 0.05, 0.04, 0.03],
  ),
  connection: choice('connection', ['4g', '3g', '2g', ''], [0.7, 0.12, 0.02]),
  sample_rate: `if(${drawn('rate')} < 0.8, 1, 0.25)`,
}
const ORIGIN = {
  received: 'fromUnixTimestamp64Milli(at + 400)',
  log_position: '1000000000 + copy',
}
const WHOLE_TIME = `fromUnixTimestamp64Milli(toInt64(at + offset_ms))`
const TOLD_LATER = (isFinal: string): string =>
  `fromUnixTimestamp64Milli(toInt64(at + 400 + 30000 * ${isFinal}))`

/** The endpoints took thousands for their rate; a part of them is varied enough. */
const PAGES = 600

export const MULTIPLIED: Readonly<Record<string, Multiplied>> = {
  spans: {
    table: 'spans',
    from: `op NOT LIKE 'ui.webvital%' AND
      (trace_id IN (SELECT trace_id FROM spans WHERE op = 'pageload' ORDER BY cityHash64(trace_id) LIMIT ${PAGES})
        OR trace_id NOT IN (SELECT trace_id FROM spans WHERE op = 'pageload'))`,
    unit: 'trace_id',
    columns: {
      ...ORIGIN,
      ...FACTS,
      timestamp: 'fromUnixTimestamp64Micro(toInt64((at + offset_ms) * 1000))',
      duration_ms: `duration_ms * ${stretch('length')}`,
      trace_id: digits('trace_id', 32),
      span_id: digits('span_id', 16),
      parent_span_id: `if(parent_span_id = '', '', ${digits('parent_span_id', 16)})`,
      segment_id: `if(segment_id = '', '', ${digits('segment_id', 16)})`,
      numbers: `mapApply((name, number) -> (name, if(name LIKE '%length' OR name LIKE '%size', round(number * ${stretch('size')}), number)), numbers)`,
    },
  },
  vitals: {
    table: 'vitals',
    from: `page_id IN (SELECT page_id FROM vitals WHERE name IN ('fcp', 'inp') ORDER BY name = 'fcp', cityHash64(page_id) LIMIT ${2 * PAGES})`,
    unit: 'page_id',
    // Most pages are seen being left, and then tell again what may have grown.
    told: `if(is_final = 1, [1], if(${drawn('left')} < 0.7, [0, 1], [0]))`,
    columns: {
      ...ORIGIN,
      ...FACTS,
      received: TOLD_LATER('told'),
      is_final: 'told',
      timestamp: WHOLE_TIME,
      value: `value * ${stretch('value')} * (1 + told / 10)`,
      page_id: digits('page_id', 16),
      trace_id: digits('trace_id', 32),
      span_id: digits('span_id', 16),
    },
  },
  navigations: {
    table: 'navigations',
    from: '1',
    unit: 'user_key',
    columns: {
      ...ORIGIN,
      ...FACTS,
      received: TOLD_LATER('is_final'),
      timestamp: WHOLE_TIME,
      navigation_id: digits('navigation_id', 16),
      trace_id: digits('trace_id', 32),
      build: FACTS.release,
      ...Object.fromEntries(
        ['duration_ms', 'visible_after_ms', 'data_ms', 'chunk_ms', 'commit_ms', 'paint_ms', 'settled_ms'].map(
          (column) => [column, `${column} * ${stretch('length')}`],
        ),
      ),
    },
  },
  prefetches: {
    table: 'prefetches',
    from: '1',
    unit: 'user_key',
    columns: {
      ...ORIGIN,
      ...FACTS,
      timestamp: WHOLE_TIME,
      prefetch_id: digits('prefetch_id', 16),
      trace_id: digits('trace_id', 32),
    },
  },
  events: {
    table: 'events',
    from: '1',
    unit: 'event_id',
    columns: {
      ...ORIGIN,
      release: FACTS.release,
      environment: FACTS.environment,
      user_key: FACTS.user_key,
      timestamp: WHOLE_TIME,
      event_id: digits('event_id', 32),
      trace_id: digits('trace_id', 32),
      payload: `replaceAll(payload, toString(event_id), ${digits('event_id', 32)})`,
    },
  },
}
