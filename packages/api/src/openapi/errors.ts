/** The answers of what is refused, which all operations share. */
import { z } from 'zod'

const Detail = z
  .object({ detail: z.string().meta({ description: 'What is wrong, for people.' }) })
  .meta({ id: 'Detail' })

const FieldErrors = z.record(z.string(), z.array(z.string())).meta({
  id: 'FieldErrors',
  description: 'What is wrong with each field.',
  examples: [{ name: ['is needed'] }],
})

const of = (schema: z.ZodType, description: string) => ({
  description,
  content: { 'application/json': { schema } },
})

const whole = (description: string) => ({ description, schema: { type: 'integer' } as const })

export const ERROR_RESPONSES = {
  BadRequest: of(z.union([FieldErrors, Detail]), 'A field or a parameter is wrong.'),
  Unauthorized: of(Detail, 'No token and no session, or none that is valid.'),
  Forbidden: of(Detail, 'The scopes of the token, or the role, do not include it.'),
  NotFound: of(Detail, 'It does not exist, or it is hidden from who asks.'),
  TooMany: {
    ...of(Detail, 'The bound of the caller is reached: how many in a second, and how many at once.'),
    headers: {
      'Retry-After': whole('Seconds.'),
      'X-Sentry-Rate-Limit-Limit': whole('How many in a second.'),
      'X-Sentry-Rate-Limit-Remaining': whole('How many are left.'),
      'X-Sentry-Rate-Limit-Reset': whole('When there are all again, Unix seconds.'),
    },
  },
  Failed: of(Detail, 'Refused.'),
}

const NAMES = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  429: 'TooMany',
} as const
export const errorRef = (status: keyof typeof NAMES) => ({
  $ref: `#/components/responses/${NAMES[status]}`,
})
