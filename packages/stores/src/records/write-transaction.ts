import type { Records } from './schema.ts'

/**
 * The only way to write several rows as one. Everything `fn` does through `tx` happens, or nothing of it; what it reads
 * is not changed by anybody else before its end.
 *
 * `fn` may run more than once: an engine that lets transactions overlap runs it again when two of them would have seen
 * each other half done (PostgreSQL: `serializable`, SQLSTATE 40001 and 40P01). So it has no effect outside `tx`: it
 * changes no variable around it, calls nobody, and tells nobody; all of that follows with what it returned. SQLite takes
 * the write lock before the first statement and runs one transaction at a time, so there `fn` runs once.
 *
 * Inside, use `tx` alone, never `records`: with one connection that waits forever.
 */
export function writeTransaction<Result>(
  records: Records,
  fn: (tx: Records) => Promise<Result>,
): Promise<Result> {
  return records.transaction().execute(fn)
}
