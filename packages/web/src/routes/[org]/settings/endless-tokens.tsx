import { Form } from '@sonde/router'

/** What an owner decides about the life of tokens. */
export function EndlessTokens({ isAllowed }: { readonly isAllowed: boolean }) {
  return (
    <>
      <p>
        {isAllowed
          ? 'Members may make tokens that do not expire.'
          : 'Tokens end after a year at most; those for builds (org:ci alone) may do without an end.'}{' '}
        Tokens that exist stay as they are.
      </p>
      <Form className="settings-line">
        <input type="hidden" name="form" value="endless" />
        <button type="submit" className="button" name="allow" value={isAllowed ? 'no' : 'yes'}>
          {isAllowed ? 'Let every new token expire' : 'Allow tokens that do not expire'}
        </button>
      </Form>
    </>
  )
}
