/** Sets, tries and removes the language model of an organization. */
import { actorOf, type Grant } from '@sonde/access'
import { errorKind, SondeError } from '@sonde/base'
import { readUrl } from '@sonde/outgoing'
import { type AuditAction, type ModelPrices, type Records, writeTransaction } from '@sonde/stores'
import { z } from 'zod'
import { writeAudit } from '../audit.ts'
import type { CommandDeps } from '../command-deps.ts'
import { InvalidInput, readInput } from '../fields.ts'
import { askModel, type Model, type ModelDeps } from './call-model.ts'

type ModelGrant = Grant<'integration:write', 'org'>

/** Of a million tokens: far beyond what any model costs in any currency. */
const MAX_PRICE = 1_000_000
const price = z
  .number('is a number')
  .min(0, 'is 0 or more')
  .max(MAX_PRICE, `is at most ${MAX_PRICE}`)
  .nullable()

const SAVE = z.object({
  url: z
    .string()
    .trim()
    .max(500, 'has at most 500 characters')
    .refine(isAddress, 'is an address, such as https://api.openai.com/v1')
    .refine((text) => !/\/chat\/completions\/?$/.test(text), 'ends before /chat/completions'),
  model: z
    .string()
    .trim()
    .min(1, 'is needed: the name that the server gives it')
    .max(200, 'has at most 200 characters'),
  /** Absent: the one that is stored stays. Empty: the server wants none. */
  key: z
    .string()
    .trim()
    .max(2_000, 'has at most 2000 characters')
    .regex(/^[\x21-\x7e]*$/, 'has visible ASCII alone')
    .optional(),
  inputPrice: price,
  outputPrice: price,
})

export type SaveModelInput = z.input<typeof SAVE>

function isAddress(text: string): boolean {
  try {
    const { username, search, hash } = readUrl(text)
    return username === '' && search === '' && hash === ''
  } catch {
    return false
  }
}

/** Another address needs the key again: whoever may change it must not have the stored one sent elsewhere. Throws `InvalidInput`. */
export async function saveModel(deps: CommandDeps, grant: ModelGrant, input: SaveModelInput): Promise<void> {
  const operation = 'set the language model'
  const { url, model, key, inputPrice, outputPrice } = readInput(operation, SAVE, input)
  const before = await modelRow(deps.records, grant)
  if (key === undefined && before?.secret && before.url !== url)
    throw new InvalidInput(operation, { key: ['is needed again for another address'] })
  const secret =
    key === undefined ? (before?.secret ?? '') : key === '' ? '' : await deps.access.seal.seal(key)
  const atMs = deps.clock.nowMs()
  const values = {
    url,
    model,
    secret,
    prices: JSON.stringify({ input: inputPrice, output: outputPrice } satisfies ModelPrices),
    updated_by: actorOf(grant.viewer),
    updated_ms: atMs,
  }
  await writeTransaction(deps.records, async (tx) => {
    await tx
      .insertInto('language_model')
      .values({ org_id: grant.orgId, created_ms: atMs, ...values })
      .onConflict((conflict) => conflict.column('org_id').doUpdateSet(values))
      .execute()
    await audit(tx, grant, 'model.save', { url, model, isKeyChanged: key !== undefined }, atMs)
  })
}

/** Nothing leaves after it. Idempotent. */
export async function deleteModel(deps: CommandDeps, grant: ModelGrant): Promise<void> {
  const atMs = deps.clock.nowMs()
  await writeTransaction(deps.records, async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('language_model')
      .where('org_id', '=', grant.orgId)
      .executeTakeFirstOrThrow()
    if (Number(numDeletedRows) > 0) await audit(tx, grant, 'model.delete', {}, atMs)
  })
}

export type ModelTest = { readonly isWorking: boolean; readonly answer: string }

const TRIED_CHARS = 200

/** Asks for one word; nothing of any issue is sent. Throws `SondeError` (`not-found`). */
export async function testModel(deps: CommandDeps, grant: ModelGrant): Promise<ModelTest> {
  const model = await openModel(deps, grant)
  const result = await tryModel(modelsOf(deps), model)
  await audit(deps.records, grant, 'model.test', { isWorking: result.isWorking }, deps.clock.nowMs())
  return result
}

async function tryModel({ outgoing }: ModelDeps, model: Model): Promise<ModelTest> {
  const ending = new AbortController()
  const question = { system: 'You answer with one word.', user: 'Answer with the word OK.' }
  let said = ''
  try {
    for await (const part of askModel(outgoing, model, question, ending.signal)) {
      if (part.kind === 'text') said += part.text
      if (said.length > TRIED_CHARS) break
    }
    return { isWorking: true, answer: `${model.model} answered: ${said.trim().slice(0, TRIED_CHARS)}` }
  } catch (error) {
    if (errorKind(error) !== 'unavailable' && errorKind(error) !== 'invalid') throw error
    return { isWorking: false, answer: (error as Error).message }
  } finally {
    ending.abort()
  }
}

const modelRow = (records: Records, { orgId }: { readonly orgId: number }) =>
  records.selectFrom('language_model').selectAll().where('org_id', '=', orgId).executeTakeFirst()

export type PricedModel = Model & { readonly inputPrice: number | null; readonly outputPrice: number | null }

/** With its key. Throws `SondeError` (`not-found`: none is set up; `conflict`: its key cannot be read). */
export async function openModel(
  { records, access }: CommandDeps,
  grant: { readonly orgId: number },
): Promise<PricedModel> {
  const row = await modelRow(records, grant)
  if (!row)
    throw new SondeError('not-found', 'no language model is set up', { operation: 'ask a language model' })
  const key = row.secret === '' ? '' : await access.seal.open(row.secret).catch(() => undefined)
  if (key === undefined)
    throw new SondeError(
      'conflict',
      'The API key of the language model cannot be read any more: enter it again in the settings.',
      {
        operation: 'ask a language model',
      },
    )
  const { input, output } = JSON.parse(row.prices) as ModelPrices
  return { url: row.url, model: row.model, key, inputPrice: input, outputPrice: output }
}

export const modelsOf = ({ models }: CommandDeps): ModelDeps => {
  if (models) return models
  throw new Error('no requests to language models were set up')
}

const audit = (
  tx: Records,
  { orgId, orgSlug, viewer }: ModelGrant,
  action: AuditAction,
  detail: Readonly<Record<string, unknown>>,
  atMs: number,
): Promise<void> => writeAudit(tx, { orgId, viewer, action, subject: orgSlug, detail, atMs })
