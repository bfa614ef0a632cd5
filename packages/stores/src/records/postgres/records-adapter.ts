import { PostgresAdapter } from 'kysely'

/** What is known of the database behind a `Records`, wherever that was handed to. */
export class RecordsAdapter extends PostgresAdapter {
  readonly hasTextIndex: boolean

  constructor(hasTextIndex: boolean) {
    super()
    this.hasTextIndex = hasTextIndex
  }
}
