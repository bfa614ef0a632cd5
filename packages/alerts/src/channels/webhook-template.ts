/**
 * The body of a webhook as its owner wants it: JSON in whose texts names in double braces stand for what a message knows. It is
 * filled in as a value and written as JSON afterwards, so nothing that a program wrote can end a text or add a field.
 */
import { z } from 'zod'
import type { Message } from '../messages/message.ts'

/** `{{message}}` and `{{facts}}` that are a text of their own become what they stand for, not its text. */
const VALUES = {
  kind: ({ kind }) => kind,
  headline: ({ headline }) => headline,
  title: ({ title }) => title,
  place: ({ place }) => place,
  level: ({ level }) => level,
  url: ({ url }) => url,
  org: ({ org }) => org,
  project: ({ project }) => project,
  issue: ({ issue }) => issue?.shortId ?? '',
  rule: ({ rule }) => rule?.name ?? '',
  timestamp: ({ atMs }) => new Date(atMs).toISOString(),
  facts: ({ facts }) => Object.fromEntries(facts),
  message: (message) => message,
} as const satisfies Readonly<Record<string, (message: Message) => unknown>>
type Name = keyof typeof VALUES

const MAX_CHARS = 10_000
/** Each may be as long as a message. */
const MAX_NAMES = 100
const MAX_DEPTH = 50
const BRACES = /\{\{([^{}]{0,50})\}\}/g

const isName = (name: string): name is Name => Object.hasOwn(VALUES, name)

/** A template that can be filled in, whatever the message. */
export const templateField = z
  .string()
  .trim()
  .max(MAX_CHARS, `has at most ${MAX_CHARS.toLocaleString('en')} characters`)
  .superRefine((text, context) => {
    const refuse = (message: string): void => context.addIssue({ code: 'custom', message })
    try {
      JSON.parse(text)
    } catch (error) {
      return refuse(`is not JSON: ${(error as Error).message}`)
    }
    if (depthOf(text) > MAX_DEPTH) refuse(`is at most ${MAX_DEPTH} levels deep`)
    const names = [...text.matchAll(BRACES)].map(([, name = '']) => name.trim())
    const unknown = names.find((name) => !isName(name))
    if (unknown !== undefined) refuse(`knows no {{${unknown}}}; there are ${Object.keys(VALUES).join(', ')}`)
    if (names.length > MAX_NAMES) refuse(`has at most ${MAX_NAMES} names in braces`)
  })

/** `template`: what `templateField` took. Returns JSON. */
export const filledTemplate = (template: string, message: Message): string =>
  // From the inside outwards, so what is filled in is not looked at again.
  JSON.stringify(
    JSON.parse(template, (_, value: unknown) =>
      typeof value === 'string' ? filledText(value, message) : value,
    ),
  )

/** How deep arrays and objects are in each other; of JSON, whose texts are passed over. */
function depthOf(json: string): number {
  let [depth, deepest, isText] = [0, 0, false]
  for (let at = 0; at < json.length; at++) {
    const sign = json[at]
    if (isText && sign === '\\') at++
    else if (sign === '"') isText = !isText
    else if (isText) continue
    else if (sign === '[' || sign === '{') deepest = Math.max(deepest, ++depth)
    else if (sign === ']' || sign === '}') depth--
  }
  return deepest
}

function filledText(text: string, message: Message): unknown {
  const whole = /^\{\{([^{}]{0,50})\}\}$/.exec(text)?.[1]?.trim() ?? ''
  if (isName(whole)) return VALUES[whole](message)
  return text.replaceAll(BRACES, (braces, inner: string) => {
    const name = inner.trim()
    if (!isName(name)) return braces
    const value: unknown = VALUES[name](message)
    return typeof value === 'string' ? value : JSON.stringify(value)
  })
}
