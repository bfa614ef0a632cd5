/** The language model of an organization, without its key. */
import type { Grant } from '@sonde/access'
import type { ModelPrices } from '@sonde/stores'
import type { QueryDeps } from '../query-deps.ts'

export type LanguageModel = {
  readonly url: string
  readonly model: string
  /** Whether a key is stored. */
  readonly hasKey: boolean
  /** Of a million tokens; null: nobody said. */
  readonly inputPrice: number | null
  readonly outputPrice: number | null
  readonly updatedMs: number
}

/** For the settings: the address may name a host inside a network. Undefined: none is set up. */
export async function languageModel(
  { records }: Pick<QueryDeps, 'records'>,
  { orgId }: Grant<'integration:write', 'org'>,
): Promise<LanguageModel | undefined> {
  const row = await records
    .selectFrom('language_model')
    .select(['url', 'model', 'secret', 'prices', 'updated_ms'])
    .where('org_id', '=', orgId)
    .executeTakeFirst()
  if (!row) return undefined
  const { input, output } = JSON.parse(row.prices) as ModelPrices
  return {
    url: row.url,
    model: row.model,
    hasKey: row.secret !== '',
    inputPrice: input,
    outputPrice: output,
    updatedMs: row.updated_ms,
  }
}

export type ModelName = { readonly model: string; readonly host: string }

/** Where an explanation would be asked for, for whoever may ask. Undefined: nowhere. */
export async function modelName(
  { records }: Pick<QueryDeps, 'records'>,
  { orgId }: Grant<'event:write', 'project'>,
): Promise<ModelName | undefined> {
  const row = await records
    .selectFrom('language_model')
    .select(['url', 'model'])
    .where('org_id', '=', orgId)
    .executeTakeFirst()
  return row && { model: row.model, host: new URL(row.url).host }
}
