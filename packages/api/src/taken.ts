/** Fields of bodies whose values a command or the reader of a form checks, in its own words: the document alone says the types. */
import { z } from 'zod'

type Name = 'string' | 'integer' | 'number' | 'boolean'
type Sent = Name | z.ZodType

/** JSON Schema of what should come. */
const schemaOf = (sent: Sent): object => {
  if (typeof sent === 'string') return { type: sent }
  const { $schema: _, ...schema } = z.toJSONSchema(sent, { io: 'input' })
  return schema
}

/** Takes anything; older clients quote numbers, for example. */
export const taken = (sent: Sent, description: string) =>
  z
    .unknown()
    .optional()
    .meta({ description, override: schemaOf(sent) })

/** A whole body by names: of each anything. */
export const takenByName = (sent: z.ZodType, description: string) =>
  z.record(z.string(), z.unknown()).meta({ description, override: schemaOf(sent) })
