/** Every parameter that a path of the API may have. A route whose path has another one does not compile. */
export const PATH_PARAMETERS = {
  org: 'Slug or id of an organization.',
  project: 'Slug or id of a project.',
  member: 'Id of a member, or `me`.',
  team: 'Slug or id of a team.',
  token: 'Id of a token.',
  key: 'Public key of a client key, or the key of a tag.',
  search: 'Id of a saved search.',
} as const
export type PathParameter = keyof typeof PATH_PARAMETERS
