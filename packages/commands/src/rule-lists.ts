/** The lists of patterns and names in a project's settings. */
import { parseAllowedDomain } from '@sonde/protocol'
import { z } from 'zod'

// Every event is held against each of them.
const MAX_ENTRIES = 100
const MAX_GLOB_CHARS = 200
const MAX_FIELD_CHARS = 64

const listOf = (item: z.ZodType<string>) =>
  z
    .array(item)
    .max(MAX_ENTRIES, `at most ${MAX_ENTRIES}`)
    .transform((entries) => [...new Set(entries.filter((entry) => entry !== ''))])

const entry = z.string().trim()

/** `*` any text, `?` one character. Empty lines of a form are left out. */
export const globList = listOf(
  entry
    .max(MAX_GLOB_CHARS, `a pattern has at most ${MAX_GLOB_CHARS} characters`)
    .refine((text) => text === '' || /[^*?\s]/.test(text), 'a pattern of * alone would drop every event'),
)

/** One letter alone would be a part of almost every name. */
export const fieldNameList = listOf(
  entry
    .max(MAX_FIELD_CHARS, `a field name has at most ${MAX_FIELD_CHARS} characters`)
    .refine(
      (text) => text === '' || text.replaceAll(/[^a-z0-9]/gi, '').length >= 2,
      'a field name has at least 2 letters or digits',
    ),
)

const MAX_DOMAIN_CHARS = 260

/** Entries of `parseAllowedDomain`; an empty list lets pages of every domain in. */
export const allowedDomainList = listOf(
  entry
    .max(MAX_DOMAIN_CHARS, `a domain has at most ${MAX_DOMAIN_CHARS} characters`)
    .check(({ value, issues }) => {
      if (value === '' || parseAllowedDomain(value)) return
      const message = `${JSON.stringify(value.slice(0, 60))} is no domain: write shop.example, *.shop.example or https://shop.example:8443`
      issues.push({ code: 'custom', message, input: value })
    }),
)

/** The lines of a text field: what a form posts for any of these lists. */
export const linesOf = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
