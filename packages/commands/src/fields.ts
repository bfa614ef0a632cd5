/** The fields that several commands take. */
import { z } from 'zod'

/** First segments of our own addresses: an organisation of that name could never be reached. */
const RESERVED_ORG_SLUGS: ReadonlySet<string> = new Set([
  'api',
  'assets',
  'auth',
  'healthz',
  'issues',
  'login',
  'logout',
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
])

/** What may come after an organisation's name beside its projects. */
const RESERVED_PROJECT_SLUGS: ReadonlySet<string> = new Set([
  'explore',
  'issues',
  'new',
  'settings',
  'sql',
  'traces',
])

/** Lower case, so that it is the same in an address whatever somebody types; not digits alone, those are ids. */
const slugField = z
  .string()
  .min(1, 'is needed')
  .max(50, 'has at most 50 characters')
  .regex(/^[a-z0-9][a-z0-9_-]*$/, 'has a-z, 0-9, - and _ only, and begins with a letter or digit')
  .regex(/[^0-9]/, 'cannot be digits alone')
const USED = 'is used by Sonde itself'
export const orgSlugField = slugField.refine((slug) => !RESERVED_ORG_SLUGS.has(slug), USED)
export const projectSlugField = slugField.refine((slug) => !RESERVED_PROJECT_SLUGS.has(slug), USED)

export const nameField = z.string().trim().min(1, 'is needed').max(100, 'has at most 100 characters')
/** What SDKs call it: `javascript`, `python`, `javascript-react`, … */
export const platformField = z
  .string()
  .max(64, 'has at most 64 characters')
  .regex(/^[a-z0-9][a-z0-9.-]*$/, 'has a-z, 0-9, . and - only')
export const emailField = z.email('is not an e-mail address').max(255, 'has at most 255 characters')
/** A slug or id that only has to be looked up. */
export const refField = z.union([z.string().min(1, 'is needed').max(100), z.int().positive()])
