/** Row of `setting` that is there while an owner has switched the SQL console off. */
export const sqlConsoleSetting = (orgId: number): string => `sql_console_off:${orgId}`
