/**
 * Rules as Sentry's API says them. What a program sent is kept beside the rule that it became: as long as nobody changes that
 * rule elsewhere, the program reads back what it wrote, to the letter. Else the rule is put into Sentry's words.
 */
import { hash } from 'node:crypto'
import { InvalidInput } from '@sonde/commands'
import type { z } from 'zod'

/** A condition, filter or action: what it is, and fields of its own. */
export type FormItem = Readonly<Record<string, unknown>> & { readonly id: string }

export function refuse(field: string, text: string): never {
  throw new InvalidInput('read an alert rule', { [field]: [text] })
}

/** Undefined: none. */
export function textOf(item: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = item[name]
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Numbers, and texts that are one: older clients quote them. */
export function numberOf(item: Readonly<Record<string, unknown>>, name: string): number | undefined {
  const value = item[name]
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** As they were sent, with fields that nobody names. None is an empty list. */
export function itemsOf<Item extends FormItem>(
  value: unknown,
  field: string,
  schema: z.ZodType<Item>,
): readonly Item[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value) || !value.every((item) => isRecord(item) && typeof item['id'] === 'string'))
    return refuse(field, 'is a list of objects, each with an `id`')
  for (const item of value as readonly FormItem[]) {
    const [issue] = schema.safeParse(item).error?.issues ?? []
    if (issue) refuse(field, `${item.id}: "${issue.path.join('.')}" is of another type`)
  }
  return value as readonly Item[]
}

/** What is kept beside a rule. `of`: the rule that the form became. */
type KeptForm<Form> = { readonly of: string; readonly form: Form }

const digestOf = (ruleJson: string): string => hash('sha256', ruleJson, 'hex').slice(0, 32)

export const keepForm = <Form>(ruleJson: string, form: Form): string =>
  JSON.stringify({ of: digestOf(ruleJson), form } satisfies KeptForm<Form>)

/** Undefined: there is none, or somebody changed the rule meanwhile. */
export function keptForm<Form>(apiForm: string, ruleJson: string): Form | undefined {
  if (apiForm === '') return undefined
  const { of, form } = JSON.parse(apiForm) as KeptForm<Form>
  return of === digestOf(ruleJson) ? form : undefined
}

/** What our own form of a rule says is wrong, under the names of the other one. */
export async function inFormNames<Answer>(
  names: Readonly<Record<string, string>>,
  attempt: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await attempt()
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error
    const fields: Record<string, string[]> = {}
    for (const [field, messages] of Object.entries(error.fields)) {
      const name = names[field] ?? field
      fields[name] = [...(fields[name] ?? []), ...messages]
    }
    throw new InvalidInput('read an alert rule', fields)
  }
}
