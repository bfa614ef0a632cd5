/**
 * How every query reads, on both engines.
 *
 * Weeks of receipt are read one by one: what replaces a row is received seconds later, so nearly always in the same
 * week. A closed week that was merged into one part is then read like a plain table, and other weeks are left out
 * unread; merging all weeks in every query took 3.4 s of processor time at five million vitals, for one day as for
 * ninety. A page that is open as a week begins (Monday, 0:00 UTC) and told a vital before and after counts twice:
 * docs/decisions/0013-weeks-are-read-one-by-one.md.
 */
export const READ_SETTINGS = { do_not_merge_across_partitions_select_final: 1 } as const

/** Within an hour after a week ends it is one part; nothing is received into it any more. */
const ONE_PART_AFTER_SEC = 3_600

/** For tables whose rows replace each other, and for spans, so that a query opens one part a week. */
export const ONE_PART_A_WEEK = ['spans', 'vitals', 'navigations', 'prefetches'].map(
  (table) =>
    `ALTER TABLE ${table} MODIFY SETTING min_age_to_force_merge_seconds = ${ONE_PART_AFTER_SEC},
      min_age_to_force_merge_on_partition_only = 1`,
)
