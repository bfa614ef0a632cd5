/** What a token with a scope may do, in a few words. A scope without words is shown by its name alone. */
const SCOPE_TEXTS: Readonly<Record<string, string>> = {
  'org:read': 'see the organisation',
  'org:ci': 'send releases and source maps from a build',
  'project:read': 'see projects and their settings',
  'project:write': 'make and change projects',
  'project:releases': 'send releases and source maps',
  'project:admin': 'make, change and delete projects',
  'event:read': 'see issues and events',
  'event:write': 'resolve, ignore and reopen issues',
  'event:admin': 'delete issues as well',
  'member:read': 'see who belongs to the organisation',
  'team:read': 'the same, as some clients ask for it',
  'alerts:read': 'see alerts',
}

export const scopeText = (scope: string): string | undefined => SCOPE_TEXTS[scope]
