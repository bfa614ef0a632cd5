export { type AccountMail, type AccountMailbox, readAccountMail } from './account-mail.ts'
export { newApiToken } from './api-token.ts'
export { newScimToken, type ScimCaller } from './scim-token.ts'
export { hashApiToken } from './api-token.ts'
export type {
  AccountAccess,
  ConfirmedTwoFactor,
  NewTwoFactor,
  Renewed,
  TwoFactorState,
} from './auth/account.ts'
export { CLEAR_SITE_DATA } from './auth/auth-handler.ts'
export {
  createSeal,
  dropChannelSecrets,
  dropSecondFactors,
  dropVapidKey,
  reencryptChannels,
  reencryptSecondFactors,
  reencryptVapidKey,
  type Seal,
  VAPID_KEY,
} from './auth/reencrypt.ts'
export { MIN_PASSWORD_CHARS } from './auth/create-user.ts'
export type { NewUser } from './auth/create-user.ts'
export type { StartSession, StartSessionInput } from './auth/start-session.ts'
export type { PasskeyCreation, PasskeyRequest, PasskeyRow, Passkeys } from './auth/passkeys.ts'
export type { SecondFactor, SecondFactorInput, SecondFactorResult } from './auth/second-factor.ts'
export type { SignInInput, SignInResult } from './auth/sign-in.ts'
export { type Access, type AccessOptions, createAccess } from './create-access.ts'
export { deletedOrganizationsOf, openDeletedOrganization } from './deleted-organizations.ts'
export type { AnyGrant, Grant, Subject } from './grant.ts'
export {
  type Grants,
  mayAlso,
  mayOperate,
  openInstallation,
  type OpenGrants,
  projectsToName,
  requireAlso,
  SecondFactorNeeded,
  requireToGive,
} from './open-grants.ts'
export type { AuthorizeFault, AuthorizeRequest } from './oauth/authorize-request.ts'
export type { Oauth } from './oauth/create-oauth.ts'
export type { OauthRefusal } from './oauth/client-id.ts'
export { authorizationServer, MCP_SCOPES, protectedResource } from './oauth/oauth-metadata.ts'
export { CODE_LIFE_MS, newOauthSecret } from './oauth/oauth-secret.ts'
export { shownTarget } from './oauth/redirect-uri.ts'
export { newOrgToken, type OrgTokenFacts } from './api-token.ts'
export {
  type Permission,
  PERMISSIONS,
  ROLE_PERMISSIONS,
  type Scope,
  PERMISSIONS_WITHIN,
  SCOPE_PERMISSIONS,
  SCOPES,
} from './permission.ts'
export { SECRET_CHECK, secretCheck } from './auth/reencrypt.ts'
export { viewerOfMember } from './member-viewer.ts'
export { peopleOfProject, type ProjectPerson } from './project-people.ts'
export { sameOrigin } from './auth/auth-handler.ts'
export {
  actorOf,
  type Membership,
  type OperatorViewer,
  operatorViewer,
  type TokenViewer,
  type UserViewer,
  type Viewer,
} from './viewer.ts'
export { OIDC_SETTINGS, SAML_SETTINGS, ssoAddresses, type SsoConnection } from './sso/connection.ts'
export type { SsoIntent } from './sso/flow.ts'
export { issuerUrl } from './sso/oidc.ts'
export { domainOf, type SsoFailure, type SsoPerson, SsoRefusal } from './sso/provider.ts'
export { METADATA_MAX_CHARS, readProviderMetadata } from './sso/saml-metadata.ts'
export type { SsoReturn } from './sso/single-sign-on.ts'
