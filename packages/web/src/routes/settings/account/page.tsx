import '../../../parts/forms/settings.css'
import '../../../parts/tokens/account.css'
import { useActionData, usePageData } from '@sonde/router'
import { BackupCodes } from './backup-codes.tsx'
import { NewToken } from './new-token.tsx'
import { NameForm, PasswordForm } from './profile-forms.tsx'
import { RecentTokens } from './recent-tokens.tsx'
import { SessionList } from './session-list.tsx'
import { TokenList } from './token-list.tsx'
import { TwoFactor } from './two-factor.tsx'
import { SavedNotice } from '../../../parts/forms/saved-notice.tsx'
import { Section } from '../../../ui/section.tsx'
import type { action, load } from './page.server.ts'

export function title() {
  return 'Account · Sonde'
}

export default function Account() {
  const { name, email, twoFactor, sessions, tokens, orgs, scopes, mayBeEndless, minPasswordChars } =
    usePageData<typeof load>()
  const backupCodes = useActionData<typeof action>()?.backupCodes
  if (backupCodes) {
    return (
      <div className="page page-narrow">
        <BackupCodes codes={backupCodes} />
      </div>
    )
  }
  return (
    <div className="page page-narrow">
      <div className="page-head">
        <h1>Account</h1>
      </div>
      <SavedNotice />
      <Section id="profile" title="Profile">
        <NameForm name={name} email={email} />
      </Section>
      <Section id="password" title="Password">
        <PasswordForm minChars={minPasswordChars} tokens={tokens.length} />
      </Section>
      <Section id="two-factor" title="Two-factor sign-in">
        <TwoFactor state={twoFactor} />
      </Section>
      <Section id="sessions" title="Sessions" note="Devices where you are signed in.">
        <SessionList sessions={sessions} />
      </Section>
      <Section id="tokens" title="Personal tokens" note="Tokens can’t exceed your own permissions.">
        <RecentTokens tokens={tokens} />
        <TokenList tokens={tokens} />
        {orgs.length > 0 && <NewToken orgs={orgs} scopes={scopes} mayBeEndless={mayBeEndless} />}
      </Section>
    </div>
  )
}
