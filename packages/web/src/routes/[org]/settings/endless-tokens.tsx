import { Form } from '@sonde/router'

/** What an owner decides about the life of tokens. */
export function EndlessTokens({ isAllowed }: { readonly isAllowed: boolean }) {
  return (
    <>
      <p>
        {isAllowed
          ? 'Members can create tokens that never expire.'
          : 'Tokens expire after one year at most. Build tokens (org:ci only) may never expire.'}{' '}
        Existing tokens are not affected.
      </p>
      <Form className="settings-line">
        <input type="hidden" name="form" value="endless" />
        <button type="submit" className="button" name="allow" value={isAllowed ? 'no' : 'yes'}>
          {isAllowed ? 'Require new tokens to expire' : 'Allow tokens that never expire'}
        </button>
      </Form>
    </>
  )
}
