export type { CommandDeps } from './command-deps.ts'
export { createKey, type CreatedKey, type ProjectInput, setKeyActive } from './create-key.ts'
export {
  createOrganization,
  type CreatedOrganization,
  type CreateOrganizationInput,
} from './create-organization.ts'
export { createProject, type CreatedProject, type CreateProjectInput } from './create-project.ts'
export { createToken, type CreatedToken, type CreateTokenInput, deleteToken } from './create-token.ts'
export { createUser, type CreatedUser, type CreateUserInput } from './create-user.ts'
export { DEFAULT_ORG_SLUG, type EnsuredOwner, ensureOwner, type EnsureOwnerInput } from './ensure-owner.ts'
export { RESERVED_ORG_SLUGS, RESERVED_PROJECT_SLUGS } from './fields.ts'
export { type FieldErrors, InvalidInput } from './invalid-input.ts'
export { MAX_ISSUES_AT_ONCE, updateIssues, type UpdateIssuesInput } from './update-issues.ts'
