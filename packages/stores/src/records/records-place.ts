import { ConfigError } from '@sonde/base'

export type RecordsPlace = { readonly file: string } | { readonly url: string }

export const refusedRecordsUrl = (): ConfigError =>
  new ConfigError(
    'SONDE_DATABASE_URL',
    'PostgreSQL is not supported yet',
    'leave it unset: the records are then kept in SQLite in SONDE_DATA_DIR',
  )
