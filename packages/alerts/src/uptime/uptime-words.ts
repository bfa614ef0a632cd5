/** What screens in the browser know of uptime monitors. No engine behind it. */
export const UPTIME_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
export const UPTIME_INTERVALS = [30, 60, 120, 300, 600, 900, 1_800, 3_600] as const

/** How a check ends. Those behind `up` are failures, the first that is found. */
const UPTIME_OUTCOMES = [
  'up',
  'address',
  'refused',
  'name',
  'connection',
  'tls',
  'timeout',
  'redirects',
  'answer',
  'status',
  'response_time',
  'body',
  'certificate',
  'unexpected_answer',
] as const
export type UptimeOutcome = (typeof UPTIME_OUTCOMES)[number]

export const UPTIME_LIMITS = {
  nameChars: 100,
  headers: 20,
  headerChars: 4_096,
  bodyChars: 16_384,
  textChars: 500,
  texts: 10,
  jsonPaths: 10,
  redirects: 10,
  window: 10,
  /** Of one project. */
  monitors: 200,
} as const
