/** Finds what a JSON Schema leaves open without a word: no type, or an object of any fields. */

type Schema = { readonly [key: string]: unknown }
const TYPES = ['type', '$ref', 'anyOf', 'oneOf', 'allOf', 'enum', 'const', 'not']
const PARTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems']

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null
const isAnything = (value: unknown): boolean => isSchema(value) && Object.keys(value).length === 0

/** Where they are. A description says it for the choices directly below too. */
export function openParts(schema: unknown, at: string, isSaid = false): string[] {
  if (!isSchema(schema)) return []
  const { description, properties = {}, items, additionalProperties, ...rest } = schema
  const said = isSaid || description !== undefined
  const isTyped = TYPES.some((key) => key in schema)
  const hasParts = PARTS.some((key) => key in rest)
  const isBare =
    schema['type'] === 'object' &&
    !hasParts &&
    !('properties' in schema) &&
    (additionalProperties === undefined || isAnything(additionalProperties))
  const isLoose = 'properties' in schema && isAnything(additionalProperties)
  return [
    ...(!said && (!isTyped || isBare || isLoose) ? [at] : []),
    ...Object.entries(properties as Schema).flatMap(([name, each]) => openParts(each, `${at}.${name}`)),
    ...openParts(items, `${at}[]`),
    ...(isAnything(additionalProperties) ? [] : openParts(additionalProperties, `${at}{}`)),
    ...PARTS.flatMap((key) => ((rest[key] ?? []) as unknown[]).flatMap((each) => openParts(each, at, said))),
  ]
}
