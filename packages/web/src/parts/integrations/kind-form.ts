/** What Sonde is connected with, one kind after the other: its words for people, and what its form posts. Channels, trackers. */
import type { PostedFields } from '../forms/posted-fields.ts'

export type KindField = {
  /** As the kind's file in `packages/alerts` names it. */
  readonly name: string
  /** `secret`: never shown again. */
  readonly place: 'settings' | 'secret'
  readonly label: string
  readonly hint?: string
  readonly placeholder?: string
  /** `lines`: a list, one entry in each line; `json`: of several lines. */
  readonly type?: 'url' | 'text' | 'email' | 'lines' | 'json'
  /** Left out when it is empty. */
  readonly isOptional?: true
}

export type KindWords = {
  readonly name: string
  /** The steps in the other program. */
  readonly steps: readonly string[]
  readonly fields: readonly KindField[]
}

/** Of the field in the form. The router gives nothing back to a page whose name says that it is secret. */
export const inputName = ({ name, place }: Pick<KindField, 'name' | 'place'>): string =>
  place === 'secret' ? `secret-${name}` : name

export type PostedKind = {
  readonly name: string
  readonly settings: Readonly<Record<string, string | readonly string[]>>
  /** Undefined: no field of it was filled in. */
  readonly secret: Readonly<Record<string, string>> | undefined
}

/** What the fields of a kind say. An optional one that is empty is left out, so that its default holds. */
export function postedKind({ fields }: Pick<KindWords, 'fields'>, posted: PostedFields): PostedKind {
  const read = (place: KindField['place']) =>
    fields
      .filter((field) => field.place === place)
      .map((field) => ({ ...field, value: posted.text(inputName(field)) }))
      .filter(({ value, isOptional }) => value !== '' || !isOptional)
  const secret = read('secret')
  return {
    name: posted.text('name'),
    settings: Object.fromEntries(
      read('settings').map(({ name, type, value }) => [name, type === 'lines' ? linesOf(value) : value]),
    ),
    secret: secret.some(({ value }) => value !== '')
      ? Object.fromEntries(secret.map(({ name, value }) => [name, value]))
      : undefined,
  }
}

const linesOf = (text: string): readonly string[] =>
  text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
