/**
 * Rows lie in parts by the week in which they were received, and a part of another week is left out unread. FINAL does not
 * keep the engine from that when the condition names the part, unlike one on `received`.
 */

/**
 * `monday`: an expression for the first day of a week. `_partition_id` is that day as eight digits; a distributed table
 * knows it, and does not know `_partition_value`.
 */
export const sinceWeek = (monday: string): string => `_partition_id >= ${partitionOf(monday)}`
export const beforeWeek = (monday: string): string => `_partition_id < ${partitionOf(monday)}`
const partitionOf = (monday: string): string => `toString(toYYYYMMDD(${monday}))`
