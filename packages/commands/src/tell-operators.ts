/** A mail to everybody who looks after the installation. It waits in the records until it is sent. */
import type { AccountMail, AccountMailbox } from '@sonde/access'
import type { Records } from '@sonde/stores'

export async function tellOperators(
  {
    records,
    mailbox,
  }: { readonly records: Records; readonly mailbox: Pick<AccountMailbox, 'isOn' | 'queue'> },
  mail: Omit<AccountMail, 'facts' | 'footer'>,
): Promise<void> {
  if (!mailbox.isOn) return
  const operators = await records
    .selectFrom('user')
    .select('email')
    .where('isOperator', '=', 1)
    .where('disabledMs', 'is', null)
    .execute()
  const footer = 'You get this because you are an operator of this installation.'
  for (const { email } of operators) await mailbox.queue(records, email, { ...mail, facts: [], footer })
}
