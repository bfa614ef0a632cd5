import type { ChannelKind } from '@sonde/stores'
import type { PostedFields } from '../../../../parts/forms/posted-fields.ts'
import { type ChannelField, inputName, KINDS } from './channel-kinds.ts'

export type PostedChannel = {
  readonly name: string
  readonly settings: Readonly<Record<string, string>>
  /** Undefined: no field of it was filled in. */
  readonly secret: Readonly<Record<string, string>> | undefined
}

/** What the fields of a kind say. An optional one that is empty is left out, so that its default holds. */
export function postedChannel(kind: ChannelKind, posted: PostedFields): PostedChannel {
  const read = (place: ChannelField['place']) =>
    KINDS[kind].fields
      .filter((field) => field.place === place)
      .map(({ name, isOptional }) => ({ name, isOptional, value: posted.text(inputName({ name, place })) }))
  const valuesOf = (fields: ReturnType<typeof read>) =>
    Object.fromEntries(
      fields
        .filter(({ value, isOptional }) => value !== '' || !isOptional)
        .map(({ name, value }) => [name, value]),
    )
  const secret = read('secret')
  return {
    name: posted.text('name'),
    settings: valuesOf(read('settings')),
    secret: secret.some(({ value }) => value !== '') ? valuesOf(secret) : undefined,
  }
}
