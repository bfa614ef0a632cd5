/** Row of `setting` that is there while an owner allows tokens that do not expire. */
export const endlessTokensSetting = (orgId: number): string => `endless_tokens:${orgId}`

/** Row of `setting` that is there while an owner has switched the SQL console off. */
export const sqlConsoleSetting = (orgId: number): string => `sql_console_off:${orgId}`
