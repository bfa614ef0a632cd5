/** Rows of each kind as an expression over `number`, spread over two weeks with the newest last. */

const DAYS = 14
const SECONDS = DAYS * 86_400

/** `rows` in all; `number` counts up to it. */
const AT = (rows: number, endSec: number): string =>
  `toDateTime64(${endSec} - ${SECONDS} * (1 - (number + 1) / ${rows}), 3, 'UTC')`

const oneOf = (seed: string, values: readonly string[]): string =>
  `arrayElement([${values.map((value) => `'${value}'`).join(', ')}], 1 + cityHash64('${seed}', number) % ${values.length})`

const hex = (seed: string, length: 16 | 32): string =>
  `substring(hex(sipHash128('${seed}', number)), 1, ${length})`
const nth = (seed: string, of: number): string => `toString(cityHash64('${seed}', number) % ${of})`

export const RELEASES = Array.from({ length: 20 }, (_, at) => `shop@1.${at}.0`)

/** What services say: forty templates with an address, an id or a time in each. One line in a million has the needle. */
const BODY = `multiIf(
  number % 1000003 = 999, concat('payment of order ', ${nth('o', 1e6)}, ' got stuck in zephyrqueue'),
  number % 7 = 0, concat('GET /api/products/', ${nth('p', 50_000)}, ' 200 in ', ${nth('t', 900)}, 'ms'),
  number % 7 = 1, concat('connection refused by 10.0.', ${nth('a', 250)}, '.', ${nth('b', 250)}, ':5432'),
  number % 7 = 2, concat('user ', ${hex('u', 16)}, ' signed in from ', ${oneOf('c', ['Berlin', 'Lima', 'Osaka', 'Lagos'])}),
  number % 7 = 3, concat('cache miss for key cart:', ${nth('k', 1e6)}, ', reading from the database'),
  number % 7 = 4, concat('job ', ${oneOf('j', ['mail', 'invoice', 'thumbnail', 'export'])}, ' took ', ${nth('d', 60_000)}, 'ms'),
  number % 7 = 5, concat('order ', ${nth('o', 1e7)}, ' of ', ${nth('m', 900)}, ' EUR placed'),
  concat('retry ', ${nth('r', 5)}, ' of request ', ${hex('q', 16)}, ' after a time-out'))`

type Kind = {
  readonly table: 'logs' | 'sessions' | 'profile_functions' | 'check_ins' | 'replays'
  /** Its columns and what stands in them. */
  readonly columns: (rows: number, endSec: number) => Readonly<Record<string, string>>
}

export const KINDS: readonly Kind[] = [
  {
    table: 'logs',
    columns: (rows, endSec) => ({
      project_id: '1 + number % 4',
      received: AT(rows, endSec),
      log_position: 'number',
      row_index: 'number % 100',
      timestamp: `toDateTime64(${AT(rows, endSec)}, 6, 'UTC')`,
      severity: oneOf('s', ['info', 'info', 'info', 'info', 'debug', 'debug', 'warn', 'error']),
      severity_number: '9',
      body: BODY,
      trace_id: hex('trace', 32),
      span_id: hex('span', 16),
      release: oneOf('release', RELEASES),
      environment: oneOf('e', ['production', 'production', 'production', 'staging']),
      platform: "'node'",
      sdk_name: "'sentry.javascript.node'",
      sdk_version: "'10.78.0'",
      user_key: `concat('id:', ${nth('user', 20_000)})`,
      sample_rate: '1',
      strings: `map('server.address', concat('web-', ${nth('server', 12)}), 'order.region', ${oneOf('region', ['eu', 'us'])},
        'sentry.message.template', '', 'http.route', ${oneOf('route', ['/cart', '/', '/products/[id]'])})`,
      numbers: `map('process.pid', toFloat64(cityHash64('pid', number) % 40000))`,
    }),
  },
  {
    table: 'sessions',
    columns: (rows, endSec) => ({
      project_id: '1 + number % 4',
      received: AT(rows, endSec),
      log_position: 'number',
      started: AT(rows, endSec),
      session_id: hex('session', 32),
      release: oneOf('release', RELEASES),
      environment: oneOf('e', ['production', 'production', 'production', 'staging']),
      user_hash: `substring(hex(sipHash64('user', cityHash64(number) % 200000)), 1, 16)`,
      status: "'exited'",
      healthy: 'number % 50 >= 3',
      errored: 'number % 50 IN (1, 2)',
      crashed: 'number % 50 = 0',
      errors: 'number % 50 < 3',
      duration_ms: "toFloat64(cityHash64('duration', number) % 600000)",
      sdk_name: "'sentry.javascript.browser'",
      version: 'number',
    }),
  },
  {
    table: 'profile_functions',
    columns: (rows, endSec) => ({
      project_id: '1 + number % 4',
      received: AT(rows, endSec),
      log_position: 'number',
      timestamp: AT(rows, endSec),
      profile_id: 'substring(hex(sipHash128(intDiv(number, 100))), 1, 32)',
      transaction: `arrayElement(['/cart', '/', '/products', '/checkout'], 1 + intDiv(number, 100) % 4)`,
      function: `concat('function', toString(cityHash64(number) % 3000))`,
      file: `concat('src/', toString(cityHash64('file', cityHash64(number) % 3000) % 400), '.ts')`,
      in_app: 'number % 3 != 0',
      self_ms: "toFloat64(cityHash64('self', number) % 400) / 10",
      total_ms: "toFloat64(cityHash64('total', number) % 2000) / 10",
      samples: '1 + number % 30',
      release: oneOf('release', RELEASES),
      environment: "'production'",
      sample_rate: '1',
    }),
  },
  {
    table: 'check_ins',
    columns: (rows, endSec) => ({
      project_id: '1 + number % 4',
      received: AT(rows, endSec),
      log_position: 'number',
      monitor_slug: `concat('job-', ${nth('monitor', 200)})`,
      environment: oneOf('e', ['production', 'production', 'production', 'staging']),
      // A run begins and ends: two check-ins under one id.
      check_in_id: "substring(hex(sipHash128('run', intDiv(number, 8))), 1, 32)",
      status: `if(intDiv(number, 4) % 2 = 0, 'in_progress', ${oneOf('s', ['ok', 'ok', 'ok', 'ok', 'error'])})`,
      duration_ms: "if(intDiv(number, 4) % 2 = 0, NULL, toFloat64(cityHash64('duration', number) % 60000))",
      release: oneOf('release', RELEASES),
      sdk_name: "'sentry.python'",
    }),
  },
  {
    table: 'replays',
    columns: (rows, endSec) => ({
      project_id: '1 + intDiv(number, 20) % 4',
      received: AT(rows, endSec),
      log_position: 'number',
      // Ten segments of a visit, of each what the SDK told and what was seen.
      replay_id: "substring(hex(sipHash128('replay', intDiv(number, 20))), 1, 32)",
      segment: 'intDiv(number, 2) % 10',
      kind: "if(number % 2 = 0, 'event', 'recording')",
      timestamp: AT(rows, endSec),
      finished: `${AT(rows, endSec)} + 5`,
      release: oneOf('release', RELEASES),
      environment: oneOf('e', ['production', 'production', 'production', 'staging']),
      platform: "'javascript'",
      sdk_name: "'sentry.javascript.react'",
      user_key: "concat('id:', toString(cityHash64('user', intDiv(number, 20)) % 20000))",
      browser: "'Chrome'",
      os: "'Windows'",
      sample_rate: '1',
      replay_type: "'session'",
      urls: `if(number % 2 = 0, [concat('https://shop.example/', ${nth('url', 500)})], [])`,
      error_ids: `if(number % 2 = 0 AND number % 50 = 0, [${hex('error', 32)}], [])`,
      trace_ids: `if(number % 2 = 0, [${hex('trace', 32)}], [])`,
      clicks: 'if(number % 2 = 0, 0, number % 7)',
      rage_clicks: 'number % 101 = 1',
      navigations: 'if(number % 2 = 0, 0, number % 3)',
      requests: 'if(number % 2 = 0, 0, number % 20)',
      mutations: 'if(number % 2 = 0, 0, number % 90)',
      rrweb_events: 'if(number % 2 = 0, 0, 100)',
      raw_bytes: 'if(number % 2 = 0, 0, 40000)',
    }),
  },
]

/** The question that has a budget. */
export const FIRST_PAGE = 'first page of 7 days'
