import type { FieldErrors } from '@sonde/commands'

/** `form` is the one of the page that was refused: its own fields only are marked. */
export type RefusedForm = { readonly form: string; readonly fields: FieldErrors }

export type PostedFields = {
  /** Trimmed; empty when the field was not posted. */
  readonly text: (name: string) => string
  /** NaN for what is no number. */
  readonly number: (name: string) => number
  /** Whether a box was ticked. */
  readonly has: (name: string) => boolean
  /** Of boxes that share a name. */
  readonly all: (name: string) => readonly string[]
  /** Untrimmed: passwords. */
  readonly secret: (name: string) => string
}

export function fieldsOf(form: FormData): PostedFields {
  const secret = (name: string): string => {
    const value = form.get(name)
    return typeof value === 'string' ? value : ''
  }
  const text = (name: string): string => secret(name).trim()
  return {
    secret,
    text,
    number: (name) => (text(name) === '' ? NaN : Number(text(name))),
    has: (name) => form.has(name),
    all: (name) => form.getAll(name).filter((value) => typeof value === 'string'),
  }
}

/** What `TokenLifeField` posts; undefined when it was not there. */
export function postedLife(posted: PostedFields): number | null | undefined {
  const life = posted.text('expiresInDays')
  if (life === '') return undefined
  return life === 'never' ? null : Number(life)
}
