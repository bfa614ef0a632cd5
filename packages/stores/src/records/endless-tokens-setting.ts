/** Row of `setting` that is there while an owner allows tokens that do not expire. */
export const endlessTokensSetting = (orgId: number): string => `endless_tokens:${orgId}`
