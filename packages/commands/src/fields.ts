/** The fields that several commands take. */
import { SondeError } from '@sonde/base'
import { z } from 'zod'

/**
 * What access says about a password or code, as errors beside the field that holds it. `names`: the form's own names
 * for access's subjects. Everything else is thrown on.
 */
export async function asFieldError<T>(
  operation: string,
  names: Readonly<Record<string, string>>,
  attempt: () => Promise<T>,
): Promise<T> {
  try {
    return await attempt()
  } catch (error) {
    const subject = refusedSubject(error)
    if (subject === undefined) throw error
    throw new InvalidInput(operation, { [names[subject] ?? subject]: [(error as Error).message] })
  }
}

const SUBJECTS: ReadonlySet<string> = new Set(['currentPassword', 'password', 'code'])

function refusedSubject(error: unknown): string | undefined {
  if (!(error instanceof SondeError)) return undefined
  const { kind, subject } = error
  if (kind !== 'forbidden' && kind !== 'invalid' && kind !== 'unavailable') return undefined
  return subject !== undefined && SUBJECTS.has(subject) ? subject : undefined
}

/** Checking what people and programs send, with messages per field that a form can show. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>

/** Becomes `400 {field: ["…"]}` in the API and text beside the field in a form. */
export class InvalidInput extends SondeError {
  readonly fields: FieldErrors

  constructor(operation: string, fields: FieldErrors) {
    const text = Object.entries(fields).map(([field, messages]) => `${field}: ${messages.join(', ')}`)
    super('invalid', text.join('; '), { operation })
    this.name = 'InvalidInput'
    this.fields = fields
  }
}

/** Throws `InvalidInput`. */
export function readInput<Schema extends z.ZodType>(
  operation: string,
  schema: Schema,
  input: unknown,
): z.output<Schema> {
  const result = schema.safeParse(input)
  if (result.success) return result.data
  const fields: Record<string, string[]> = {}
  for (const issue of result.error.issues) {
    // A literal set of fields comes from our schemas; a list's item is reported at the list, a row's field as its own.
    const field = issue.path.length === 3 ? issue.path.join('.') : String(issue.path[0] ?? 'input')
    fields[field] = [...(fields[field] ?? []), issue.message]
  }
  throw new InvalidInput(operation, fields)
}

/** `count` items of each category within `windowSec` seconds; 0 refuses everything. Null: no limit. */
export type RateLimitInput = { readonly count: number; readonly windowSec: number } | null

// A window of a month is the longest quota that anybody plans with.
const MAX_WINDOW_SEC = 31 * 24 * 60 * 60
const MAX_COUNT = 1_000_000_000

export const rateLimitField = z
  .object({
    count: z
      .int('is a whole number of events')
      .min(0, 'is a number of events, 0 or more')
      .max(MAX_COUNT, `allows at most ${MAX_COUNT} events`),
    windowSec: z
      .int('counts within whole seconds')
      .min(1, 'counts within at least 1 second')
      .max(MAX_WINDOW_SEC, 'counts within at most 31 days'),
  })
  .nullable()

/** As the two columns are stored. */
export const rateLimitColumns = (limit: RateLimitInput) => ({
  rate_limit_count: limit?.count ?? null,
  rate_limit_window_sec: limit?.windowSec ?? null,
})

/** First segments of our own addresses: an organization of that name could never be reached. */
const RESERVED_ORG_SLUGS: ReadonlySet<string> = new Set([
  'api',
  'assets',
  'auth',
  'docs',
  'healthz',
  'issues',
  'login',
  'logout',
  'mcp',
  'metrics',
  'monitoring',
  'new',
  'organizations',
  'projects',
  'readyz',
  'settings',
  'sign-in',
  'sign-out',
  'static',
  'status',
])

/** What may come after an organization's name beside its projects. */
const RESERVED_PROJECT_SLUGS: ReadonlySet<string> = new Set([
  'explore',
  'issues',
  'new',
  'service-map',
  'settings',
  'sql',
  'traces',
])

/** Lower case, so that it is the same in an address whatever somebody types; not digits alone, those are ids. */
export const slugField = z
  .string()
  .min(1, 'is needed')
  .max(50, 'has at most 50 characters')
  .regex(/^[a-z0-9][a-z0-9_-]*$/, 'has a-z, 0-9, - and _ only, and begins with a letter or digit')
  .regex(/[^0-9]/, 'cannot be digits alone')
const USED = 'is used by Sonde itself'
export const orgSlugField = slugField.refine((slug) => !RESERVED_ORG_SLUGS.has(slug), USED)
export const projectSlugField = slugField.refine((slug) => !RESERVED_PROJECT_SLUGS.has(slug), USED)

/** Without the blanks around it; may be empty. */
export const textField = (maxChars: number) =>
  z.string().trim().max(maxChars, `has at most ${maxChars} characters`)
export const neededTextField = (maxChars: number) => textField(maxChars).min(1, 'is needed')
export const nameField = neededTextField(100)
/** What SDKs call it: `javascript`, `python`, `javascript-react`, … */
export const platformField = z
  .string()
  .max(64, 'has at most 64 characters')
  .regex(/^[a-z0-9][a-z0-9.-]*$/, 'has a-z, 0-9, . and - only')
export const emailField = z.email('is not an e-mail address').max(255, 'has at most 255 characters')
/** A slug or id that only has to be looked up. */
export const refField = z.union([z.string().min(1, 'is needed').max(100), z.int().positive()])
