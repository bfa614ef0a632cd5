/** Each kind of issue tracker for people: its fields, what its token has to be allowed, and how its webhook is set up. */
import type { TrackerKind } from '@sonde/stores'
import type { KindField, KindWords } from '../../../../parts/integrations/kind-form.ts'

export type TrackerWords = KindWords & {
  /** The steps that make the tracker send its webhooks. */
  readonly webhookSteps: readonly string[]
  /** What the tracker calls the secret. */
  readonly webhookSecret: string
  /** Of one that makes the secret itself: where it is entered here. */
  readonly ownSecretField?: KindField
}

const token = (label: string, hint: string, placeholder?: string): KindField => ({
  name: 'token',
  place: 'secret',
  label,
  hint,
  ...(placeholder !== undefined && { placeholder }),
})

const LINEAR_SECRET: KindField = {
  name: 'webhookSecret',
  place: 'secret',
  label: 'Signing secret of the webhook',
  hint: 'Linear makes it with the webhook, so it can be entered later.',
  placeholder: 'lin_wh_…',
  isOptional: true,
}

export const KINDS: Readonly<Record<TrackerKind, TrackerWords>> = {
  github: {
    name: 'GitHub',
    steps: [
      'In GitHub, open “Settings”, “Developer settings”, “Personal access tokens” and there “Fine-grained tokens”.',
      'Press “Generate new token”, choose the repositories, and give it the permission “Issues: Read and write”.',
      'Copy the token. Issues and comments are written in the name of the account that it belongs to.',
    ],
    fields: [
      {
        name: 'places',
        place: 'settings',
        label: 'Repositories',
        hint: 'One per line. Issues are made in the first unless another is chosen.',
        placeholder: 'acme/shop',
        type: 'lines',
      },
      {
        name: 'apiUrl',
        place: 'settings',
        label: 'API',
        hint: 'Only for GitHub Enterprise Server: https://github.example.com/api/v3',
        placeholder: 'https://api.github.com',
        type: 'url',
        isOptional: true,
      },
      token(
        'Access token',
        'Fine-grained: “Issues: Read and write”. Classic: the scope “repo”.',
        'github_pat_…',
      ),
    ],
    webhookSteps: [
      'In each repository, open “Settings”, “Webhooks” and press “Add webhook”.',
      'Enter the payload URL and the secret, and choose the content type “application/json”.',
      'Choose “Let me select individual events” and tick “Issues” alone.',
    ],
    webhookSecret: 'Secret',
  },
  gitlab: {
    name: 'GitLab',
    steps: [
      'In GitLab, open the project or group and there “Settings”, “Access tokens”.',
      'Press “Add new token”, choose at least the role “Planner” and the scope “api”, and copy the token.',
    ],
    fields: [
      {
        name: 'places',
        place: 'settings',
        label: 'Projects',
        hint: 'One per line, with their groups. Issues are made in the first unless another is chosen.',
        placeholder: 'acme/shop',
        type: 'lines',
      },
      {
        name: 'url',
        place: 'settings',
        label: 'Address',
        hint: 'Only for a GitLab of your own.',
        placeholder: 'https://gitlab.com',
        type: 'url',
        isOptional: true,
      },
      token('Access token', 'With the scope “api”.', 'glpat-…'),
    ],
    webhookSteps: [
      'In each project, or in their group, open “Settings”, “Webhooks” and press “Add new webhook”.',
      'Enter the URL and the secret token.',
      'As trigger, tick “Issues events” alone.',
    ],
    webhookSecret: 'Secret token',
  },
  jira: {
    name: 'Jira',
    steps: [
      'Open id.atlassian.com, “Security”, “API tokens”, press “Create API token” and copy it.',
      'Its account needs these permissions in each project: browse projects, create and transition issues, add comments.',
    ],
    fields: [
      {
        name: 'url',
        place: 'settings',
        label: 'Address',
        placeholder: 'https://acme.atlassian.net',
        type: 'url',
      },
      {
        name: 'places',
        place: 'settings',
        label: 'Projects',
        hint: 'Their keys, one per line. Issues are made in the first unless another is chosen.',
        placeholder: 'SHOP',
        type: 'lines',
      },
      {
        name: 'issueType',
        place: 'settings',
        label: 'Issue type',
        hint: 'Of issues that are made from here.',
        placeholder: 'Task',
        isOptional: true,
      },
      {
        name: 'email',
        place: 'settings',
        label: 'Email of the account',
        hint: 'To which the token belongs.',
        placeholder: 'bot@example.com',
        type: 'email',
      },
      token('API token', 'Of that account.', 'ATATT…'),
    ],
    webhookSteps: [
      'As administrator of Jira, open “System” in its settings and there “WebHooks”, and press “Create a WebHook”.',
      'Enter the URL and the secret.',
      'Under “Issue related events”, tick “updated” and “deleted” of issues.',
    ],
    webhookSecret: 'Secret',
  },
  linear: {
    name: 'Linear',
    steps: [
      'In Linear, open “Settings”, “Security & access” and there “Personal API keys”.',
      'Press “New API key”, allow “Read”, “Write”, “Create issues” and “Create comments”, and copy the key.',
    ],
    fields: [
      {
        name: 'places',
        place: 'settings',
        label: 'Teams',
        hint: 'Their identifiers, one per line. Issues are made in the first unless another is chosen.',
        placeholder: 'ENG',
        type: 'lines',
      },
      token('API key', 'Of the account in whose name issues are made.', 'lin_api_…'),
      LINEAR_SECRET,
    ],
    webhookSteps: [
      'As administrator of Linear, open “Settings”, “API” and press “New webhook”.',
      'Enter the URL, and under “Data change events” tick “Issues” alone.',
      'Copy the signing secret that Linear shows, and enter it here under “Settings”.',
    ],
    webhookSecret: 'Signing secret',
    ownSecretField: LINEAR_SECRET,
  },
}

export const KIND_IDS = Object.keys(KINDS) as readonly TrackerKind[]

export const isKind = (text: string | null): text is TrackerKind =>
  text !== null && Object.hasOwn(KINDS, text)
