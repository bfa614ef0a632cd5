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
