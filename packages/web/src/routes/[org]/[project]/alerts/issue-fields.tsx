import { CHANGE_TRIGGERS, type ChangeTriggerType, RULE_LIMITS } from '@sonde/alerts/contract'
import { useParams } from '@sonde/router'
import { SearchBox } from '../../../../parts/search-box/search-box.tsx'
import { paths } from '../../../../paths.ts'
import { Tick } from '../../../../ui/field.tsx'
import { UserText } from '../../../../ui/user-text.tsx'
import { LEVELS, NOBODY } from './rule-draft.ts'
import { EnvironmentField, FieldsError, type FieldsProps } from './rule-fields.tsx'
import type { Tellable } from './tell-fields.tsx'

const CHANGE_NAMES: Readonly<Record<ChangeTriggerType, string>> = {
  new: 'is new',
  regressed: 'regresses: it was resolved and comes back',
  reopened: 'is reopened by somebody',
  first_seen_in_release: 'is first seen in a release: also when it is known from others',
  first_seen_in_environment: 'is first seen in an environment: also when it is known from others',
}
const COUNT_NAMES: Readonly<Record<string, readonly [before: string, after: string]>> = {
  events: ['has more than', 'events'],
  users: ['affects more than', 'users'],
  escalating: ['escalates: four times its usual rate, and more than', 'events'],
}

/** On what an issue rule fires: any of what is ticked or has a number. */
export function IssueFields({
  draft,
  errorOf,
  mayWrite,
  members,
  teams,
}: FieldsProps & Pick<Tellable, 'members' | 'teams'>) {
  const { org, project } = useParams<'org' | 'project'>()
  const searchError = errorOf('search')
  return (
    <>
      <fieldset disabled={!mayWrite} aria-describedby={errorOf('triggers') && 'triggers-error'}>
        <legend>When an issue</legend>
        {CHANGE_TRIGGERS.map((change) => (
          <Tick key={change} name="change" value={change} isOn={draft.changes.includes(change)}>
            {CHANGE_NAMES[change]}
          </Tick>
        ))}
        {draft.counted.map(({ type, count, minutes }, at) => {
          const [before, after] = COUNT_NAMES[type] ?? ['', '']
          return (
            <div key={`${type} ${at}`} className="alert-sentence">
              <input type="hidden" name="countedType" value={type} />
              <span>{before}</span>
              <input
                className="input"
                type="number"
                name="countedCount"
                min={0}
                defaultValue={count}
                placeholder="–"
                aria-label={`An issue ${before}, ${after}`}
              />
              <span>{after} within</span>
              <input
                className="input"
                type="number"
                name="countedMinutes"
                min={1}
                max={10_080}
                defaultValue={minutes}
                aria-label={`Minutes in which an issue ${before} a number of ${after}`}
              />
              <span>minutes</span>
            </div>
          )
        })}
        <p className="field-hint">A line without a number is off.</p>
        <FieldsError id="triggers-error" text={errorOf('triggers')} />
      </fieldset>
      <fieldset disabled={!mayWrite}>
        <legend>Of these events</legend>
        <div className="alert-choices" role="group" aria-label="Levels, all unless some are chosen">
          {LEVELS.map((level) => (
            <Tick key={level} name="level" value={level} isOn={draft.levels.includes(level)}>
              {level}
            </Tick>
          ))}
        </div>
        <EnvironmentField draft={draft} errorOf={errorOf} />
        <SearchBox
          suggestions={`${paths.issues(org, project)}/suggestions`}
          what="events"
          placeholder="All. For example release:shop@2.* browser.name:Safari"
          query={draft.query}
          statsPeriod="14d"
          isRefused={searchError !== undefined}
        />
        <FieldsError id="search-error" text={searchError} />
      </fieldset>
      <fieldset disabled={!mayWrite} aria-describedby={errorOf('assigned') && 'assigned-error'}>
        <legend>Assigned to</legend>
        <AssignedFields draft={draft} members={members} teams={teams} />
        <FieldsError id="assigned-error" text={errorOf('assigned')} />
      </fieldset>
      <fieldset disabled={!mayWrite}>
        <legend>Not again within</legend>
        <div className="alert-sentence">
          <input
            className="input"
            type="number"
            name="coolDownMinutes"
            min={0}
            max={RULE_LIMITS.coolDownMinutes}
            aria-label="Cool-down in minutes"
            defaultValue={draft.coolDownMinutes}
          />
          <span>minutes, about the same issue</span>
        </div>
        <FieldsError id="cool-down-error" text={errorOf('coolDownMinutes')} />
      </fieldset>
    </>
  )
}

/** Who left, or a team that is gone, stays until somebody takes it out. */
function AssignedFields({
  draft: { assigned, assignedTo },
  members,
  teams,
}: Pick<FieldsProps, 'draft'> & Pick<Tellable, 'members' | 'teams'>) {
  const choices = [
    { value: NOBODY, name: 'Nobody', hint: '' },
    ...teams.map(({ id, slug }) => ({ value: `team:${id}`, name: `#${slug}`, hint: '' })),
    ...members.map(({ userId, name, email }) => ({ value: `user:${userId}`, name, hint: email })),
  ]
  const gone = assignedTo.filter((value) => !choices.some((each) => each.value === value))
  return (
    <>
      <select
        className="input"
        name="assigned"
        aria-label="Which assignees count"
        aria-describedby="assigned-hint"
        defaultValue={assigned}
      >
        <option value="">Anybody or nobody</option>
        <option value="one">One of those chosen</option>
        <option value="not">None of those chosen</option>
      </select>
      <p className="field-hint" id="assigned-hint">
        Who has the issue when the rule fires. The preview takes who has it now.
      </p>
      <details className="key-fold" open={assignedTo.length > 0 || undefined}>
        <summary>People and teams</summary>
        <div className="alert-choices" role="group" aria-label="Assignees">
          {choices.map(({ value, name, hint }) => (
            <Tick key={value} name="assignedTo" value={value} isOn={assignedTo.includes(value)}>
              <span title={hint || undefined}>
                <UserText text={name} />
              </span>
            </Tick>
          ))}
          {gone.map((value) => (
            <Tick key={value} name="assignedTo" value={value} isOn>
              {value.startsWith('team:') ? 'A team that is gone' : 'Somebody who left'}
            </Tick>
          ))}
        </div>
      </details>
    </>
  )
}
