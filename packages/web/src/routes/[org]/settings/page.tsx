import '../../../parts/forms/settings.css'
import '../../../parts/tokens/account.css'
import { usePageData, useParams } from '@sonde/router'
import { EndlessTokens } from './endless-tokens.tsx'
import { MemberList } from './member-list.tsx'
import { MemberSearch } from './member-search.tsx'
import { NewOrgToken } from './new-org-token.tsx'
import { OrgTokenList } from './org-token-list.tsx'
import { SavedNotice } from '../../../parts/forms/saved-notice.tsx'
import { Count } from '../../../ui/count.tsx'
import { Section } from '../../../ui/section.tsx'
import { UserText } from '../../../ui/user-text.tsx'
import type { load } from './page.server.ts'

export function title(data: unknown) {
  return `Members and tokens · ${(data as { orgName: string }).orgName} · Sonde`
}

export default function OrgSettings() {
  const data = usePageData<typeof load>()
  const { org } = useParams<'org'>()
  const { members, tokens, mayChange, mayOwn } = data
  return (
    <div className="page page-narrow">
      <div className="page-head">
        <h1>
          <UserText text={data.orgName} /> <span className="muted">members and tokens</span>
        </h1>
      </div>
      <SavedNotice />
      <Section id="members" title="Members" note={<Count value={data.memberCount} noun="member" />}>
        <MemberSearch
          search={data.search}
          memberCount={data.memberCount}
          foundCount={data.foundCount}
          shown={members.length}
        />
        <MemberList members={members} mayOwn={mayOwn} />
        {mayChange ? (
          <p className="muted">
            To add a member, run on the server:{' '}
            <code>npm run sonde -- user create --org {org} --email ada@example.com</code>
          </p>
        ) : (
          <p className="muted">Admins and owners can change roles and remove members.</p>
        )}
      </Section>
      <Section
        id="tokens"
        title="Tokens"
        note={tokens && 'Organization tokens and the personal tokens of members.'}
      >
        {tokens ? (
          <>
            <OrgTokenList tokens={tokens} />
            <NewOrgToken scopes={data.scopes} mayBeEndless={data.mayBeEndless} />
          </>
        ) : (
          <p className="muted">
            Only admins and owners can see organization tokens. Your personal tokens are on your account page.
          </p>
        )}
      </Section>
      {mayOwn && (
        <Section id="endless" title="Token expiration">
          <EndlessTokens isAllowed={data.mayBeEndless} />
        </Section>
      )}
    </div>
  )
}
