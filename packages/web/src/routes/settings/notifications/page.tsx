import '../../../parts/forms/settings.css'
import '../../../parts/tokens/account.css'
import './notifications.css'
import { Form, Link, usePageData } from '@sonde/router'
import { SavedNotice } from '../../../parts/forms/saved-notice.tsx'
import { type FormState, useFormState } from '../../../parts/forms/use-form-state.ts'
import { paths } from '../../../paths.ts'
import { Section } from '../../../ui/section.tsx'
import { UserText } from '../../../ui/user-text.tsx'
import type { load } from './page.server.ts'
import { PushBrowsers } from './push-browsers.tsx'

const CHOICES: readonly (readonly [string, string])[] = [
  ['all', 'Everything'],
  ['new', 'New issues only'],
  ['none', 'Nothing'],
]
const ACTIVITY: readonly (readonly [string, string])[] = [
  ['subscribed', 'All that I am subscribed to'],
  ['involved', 'Only where I am assigned or mentioned'],
  ['none', 'Nothing'],
]
const PACES: readonly (readonly [string, string])[] = [
  ['once', 'At once'],
  ['hour', 'Collected, every hour'],
  ['day', 'Collected, once a day'],
]
const HOURS = Array.from(
  { length: 24 },
  (_, hour) => [String(hour), `${String(hour).padStart(2, '0')}:00`] as const,
)
const AS_USUAL = ['', 'As for all projects'] as const

const textOf = (choice: string | undefined): string =>
  CHOICES.find(([id]) => id === choice)?.[1].toLowerCase() ?? 'as for all projects'

const activityText = (choice: string | undefined): string =>
  ACTIVITY.find(([id]) => id === choice)?.[1].toLowerCase() ?? 'as for all projects'

export function title() {
  return 'Notification settings · Sonde'
}

export default function Notifications() {
  const { email, hasMail, timeZone, settings, projects, pushKey, browsers } = usePageData<typeof load>()
  const usual = useFormState('usual')
  return (
    <div className="page page-narrow">
      <div className="page-head">
        <h1>Notification settings</h1>
      </div>
      <SavedNotice />
      <p>
        Alert rules decide what is told to whom. Issue activity is what others do about issues that you are
        subscribed to: they comment, assign, resolve. Here you choose what of both reaches you. Channels of an
        organization, such as Slack, are not affected.
      </p>
      <Section id="usual" title="All projects">
        {!hasMail && (
          <p className="muted">
            This Sonde sends no mail yet: the operator sets it up with <code>SONDE_SMTP_URL</code>.
          </p>
        )}
        <Form className="settings-form" key={JSON.stringify({ ...settings, projects: '' })}>
          <input type="hidden" name="form" value="usual" />
          <div className="field-pair">
            <Choice id="inbox" label="Inbox" of={CHOICES} stored={settings.inbox} state={usual} />
            <Choice
              id="email"
              label={`Email to ${email}`}
              of={CHOICES}
              stored={settings.email}
              state={usual}
            />
          </div>
          <div className="field-pair">
            <Choice id="pace" label="Email goes out" of={PACES} stored={settings.pace} state={usual} />
            <Choice
              id="push"
              label="Browsers switched on below"
              of={CHOICES}
              stored={settings.push}
              state={usual}
            />
          </div>
          <div className="field-pair">
            <Choice
              id="digestHour"
              label="Daily email at"
              of={HOURS}
              stored={String(settings.digestHour)}
              state={usual}
            />
            <p className="field-hint digest-zone">
              By the clock of <strong>{timeZone || 'UTC'}</strong>,{' '}
              {timeZone === ''
                ? 'because your profile names no time zone. '
                : 'the time zone of your profile. '}
              <Link className="text-link" to={paths.account()}>
                Change it
              </Link>
            </p>
          </div>
          <ActivityFields usual={settings.activity} state={usual} />
          <button type="submit" className="button button-primary">
            Save
          </button>
        </Form>
      </Section>
      <Section id="browsers" title="In browsers" note="Until you switch them off, or sign out there.">
        <PushBrowsers pushKey={pushKey} browsers={browsers} />
      </Section>
      {projects.length > 0 && (
        <Section id="projects" title="Single projects" note="Where you want something else.">
          <OwnChoices settings={settings} />
          <ProjectForm projects={projects} />
        </Section>
      )}
    </div>
  )
}

type ActivityFieldsProps = {
  /** What is stored; undefined: of a project, where the first choice is that of all projects. */
  readonly usual?: Settings['activity']
  readonly state: FormState
}

function ActivityFields({ usual, state }: ActivityFieldsProps) {
  const of = usual ? ACTIVITY : [AS_USUAL, ...ACTIVITY]
  const prefix = usual ? '' : 'project-'
  return (
    <fieldset className="activity-choices">
      <legend>Issue activity</legend>
      {MEDIA.map(([medium, label]) => (
        <Choice
          key={medium}
          id={`${prefix}activity-${medium}`}
          name={`activity-${medium}`}
          label={label}
          of={of}
          stored={usual?.[medium] ?? ''}
          state={state}
        />
      ))}
    </fieldset>
  )
}

const MEDIA = [
  ['inbox', 'Inbox'],
  ['email', 'Email'],
  ['push', 'Browsers'],
] as const

type Settings = Awaited<ReturnType<typeof load>>['settings']

function OwnChoices({ settings }: { readonly settings: Settings }) {
  if (settings.projects.length === 0) return <p className="muted">No project has settings of its own.</p>
  return (
    <ul className="account-list" aria-label="Projects with settings of their own">
      {settings.projects.map(({ org, project, inbox, email, push, activity }) => {
        const name = `${org}/${project}`
        return (
          <li key={name}>
            <div className="account-item">
              <p>
                <UserText text={name} />
              </p>
              <p className="muted">
                Inbox: {textOf(inbox)} · Email: {textOf(email)} · Browsers: {textOf(push)}
              </p>
              {MEDIA.some(([medium]) => activity[medium] !== undefined) && (
                <p className="muted">
                  Issue activity:{' '}
                  {MEDIA.map(([medium, label]) => `${label}: ${activityText(activity[medium])}`).join(' · ')}
                </p>
              )}
            </div>
            <Form>
              <input type="hidden" name="form" value="project" />
              <input type="hidden" name="project" value={name} />
              <input type="hidden" name="inbox" value="" />
              <input type="hidden" name="email" value="" />
              <input type="hidden" name="push" value="" />
              {MEDIA.map(([medium]) => (
                <input key={medium} type="hidden" name={`activity-${medium}`} value="" />
              ))}
              <button type="submit" className="button button-small" aria-label={`Remove settings of ${name}`}>
                Remove
              </button>
            </Form>
          </li>
        )
      })}
    </ul>
  )
}

function ProjectForm({ projects }: { readonly projects: readonly string[] }) {
  const state = useFormState('project')
  return (
    <Form className="settings-form">
      <input type="hidden" name="form" value="project" />
      <Choice
        id="project"
        label="Project"
        of={projects.map((name) => [name, name])}
        stored={projects[0] ?? ''}
        state={state}
      />
      <div className="field-pair">
        <Choice
          id="project-inbox"
          name="inbox"
          label="Inbox"
          of={[AS_USUAL, ...CHOICES]}
          stored=""
          state={state}
        />
        <Choice
          id="project-email"
          name="email"
          label="Email"
          of={[AS_USUAL, ...CHOICES]}
          stored=""
          state={state}
        />
        <Choice
          id="project-push"
          name="push"
          label="Browsers"
          of={[AS_USUAL, ...CHOICES]}
          stored=""
          state={state}
        />
      </div>
      <ActivityFields state={state} />
      <button type="submit" className="button">
        Save for this project
      </button>
    </Form>
  )
}

type ChoiceProps = {
  readonly id: string
  /** Like the id unless given. */
  readonly name?: string
  readonly label: string
  readonly of: readonly (readonly [string, string])[]
  readonly stored: string
  readonly state: FormState
}

function Choice({ id, name = id, label, of, stored, state }: ChoiceProps) {
  const error = state.errorOf(name)
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        name={name}
        className="input"
        defaultValue={state.valueOf(name, stored)}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={error === undefined ? undefined : `${id}-error`}
      >
        {of.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
      {error !== undefined && (
        <p className="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  )
}
