/** Checking what people and programs send, with messages per field that a form can show. */
import { SondeError } from '@sonde/base'
import type { z } from 'zod'

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
