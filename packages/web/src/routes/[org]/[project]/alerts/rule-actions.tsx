import type { AlertRuleRow } from '@sonde/queries'
import { Form, useParams } from '@sonde/router'
import { ZonedTimeField } from '../../../../parts/forms/zoned-time-field.tsx'
import { paths } from '../../../../paths.ts'
import { Menu } from '../../../../shell/menu.tsx'
import { Icon } from '../../../../ui/icon.tsx'

const MUTES = [
  { minutes: 60, name: '1 hour' },
  { minutes: 480, name: '8 hours' },
  { minutes: 1_440, name: '1 day' },
] as const

type Props = { readonly rule: Pick<AlertRuleRow, 'id' | 'name' | 'isEnabled' | 'mutedUntilMs'> }

/** On or off at once; everything else in a menu, which opens without scripts. */
export function RuleActions({ rule: { id, name, isEnabled, mutedUntilMs } }: Props) {
  const { org, project } = useParams<'org' | 'project'>()
  const action = paths.alerts(org, project)
  const which = <input type="hidden" name="ruleId" value={id} />
  return (
    <div className="alert-actions">
      <Form action={action}>
        {which}
        <button
          type="submit"
          className="button button-small"
          name="does"
          value={isEnabled ? 'disable' : 'enable'}
          aria-label={`Turn ${isEnabled ? 'off' : 'on'} ${name}`}
        >
          {isEnabled ? 'Turn off' : 'Turn on'}
        </button>
      </Form>
      <Menu
        className="alert-menu"
        label={`More for ${name}`}
        button={
          <>
            More <Icon name="down" />
          </>
        }
      >
        {() => (
          <>
            <Form action={action} className="alert-menu-part">
              {which}
              <input type="hidden" name="does" value="mute" />
              <p className="muted">Mute for</p>
              <div className="alert-mutes">
                {MUTES.map((mute) => (
                  <button
                    key={mute.minutes}
                    type="submit"
                    className="button button-small"
                    name="minutes"
                    value={mute.minutes}
                  >
                    {mute.name}
                  </button>
                ))}
              </div>
            </Form>
            <MuteUntil action={action} ruleId={id} />
            <Form action={action} className="alert-menu-part">
              {which}
              {mutedUntilMs !== undefined && (
                <button type="submit" className="button button-small" name="does" value="unmute">
                  Unmute
                </button>
              )}
              <button type="submit" className="button button-small" name="does" value="duplicate">
                Duplicate
              </button>
            </Form>
            <details className="key-fold alert-menu-part">
              <summary aria-label={`Delete ${name}`}>Delete…</summary>
              <Form action={action} className="danger">
                {which}
                <p>Open incidents are resolved. Past incidents are kept.</p>
                <button
                  type="submit"
                  className="button button-small button-danger"
                  name="does"
                  value="delete"
                >
                  Delete rule
                </button>
              </Form>
            </details>
          </>
        )}
      </Menu>
    </div>
  )
}

function MuteUntil({ action, ruleId }: { readonly action: string; readonly ruleId: number }) {
  return (
    <Form action={action} className="alert-menu-part">
      <input type="hidden" name="ruleId" value={ruleId} />
      <ZonedTimeField label="Mute until" name="until" isRequired />
      <button type="submit" className="button button-small" name="does" value="mute">
        Mute
      </button>
    </Form>
  )
}
