/** The language model that explains an organization's issues: one, and none until somebody sets it up. Times are Unix milliseconds. */
import type { ColumnType, Generated } from 'kysely'

type Fixed<T> = ColumnType<T, T, never>

export type ModelTables = { language_model: LanguageModelTable }

export type LanguageModelTable = {
  id: Generated<number>
  org_id: Fixed<number>
  /** Where the API is that OpenAI's clients speak, without `/chat/completions`. */
  url: string
  /** As the server calls it. */
  model: string
  /** The API key, sealed with the installation's key; empty: the server wants none, or it was lost. */
  secret: string
  /** JSON: of a million tokens `input` and `output`, in whatever currency people think in; null: nobody said. */
  prices: string
  updated_by: string
  created_ms: Fixed<number>
  updated_ms: number
}

/** What `prices` holds. */
export type ModelPrices = { readonly input: number | null; readonly output: number | null }

export const LANGUAGE_MODELS: readonly string[] = [
  `CREATE TABLE language_model (id integer PRIMARY KEY AUTOINCREMENT,
    org_id integer NOT NULL REFERENCES organization (id) ON DELETE CASCADE, url text NOT NULL, model text NOT NULL,
    secret text NOT NULL, prices text NOT NULL, updated_by text NOT NULL,
    created_ms integer NOT NULL, updated_ms integer NOT NULL)`,
  'CREATE UNIQUE INDEX language_model_by_org ON language_model (org_id)',
]
