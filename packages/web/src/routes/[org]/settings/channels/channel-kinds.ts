/** Each kind of channel for people: its fields, and where in the other program their values are found. */
import type { ChannelKind } from '@sonde/stores'
import type { KindField, KindWords } from '../../../../parts/integrations/kind-form.ts'

export type ChannelWords = KindWords & {
  /** Where the other program tells us what people do there; its address is known once the channel is there. */
  readonly hook?: {
    readonly name: string
    /** The steps that make it known there. */
    readonly steps: readonly string[]
  }
}

const webhookUrl = (placeholder: string): KindField => ({
  name: 'url',
  place: 'secret',
  label: 'Webhook URL',
  hint: 'Whoever knows it can write into the channel, so it is kept like a password.',
  placeholder,
  type: 'url',
})

export const KINDS: Readonly<Record<ChannelKind, ChannelWords>> = {
  slack: {
    name: 'Slack',
    steps: [
      'Open api.slack.com/apps and create an app “From scratch” in your workspace.',
      'Under “Incoming Webhooks”, switch them on and press “Add New Webhook to Workspace”.',
      'Choose the channel and copy the webhook URL.',
    ],
    fields: [webhookUrl('https://hooks.slack.com/services/T…/B…/…')],
  },
  slack_app: {
    name: 'Slack app',
    steps: [
      'Open api.slack.com/apps and create an app “From scratch” in your workspace. One app is enough for all channels of this organization.',
      'Under “OAuth & Permissions”, add the bot token scopes chat:write, users:read and users:read.email, install the app, and copy the bot token.',
      'Under “Basic Information”, copy the signing secret: it brings buttons to the messages.',
      'In Slack, invite the app to the channel: /invite @ and its name.',
    ],
    fields: [
      {
        name: 'channel',
        place: 'settings',
        label: 'Channel',
        hint: '#name, or the ID at the end of the channel’s details, which stays when it is renamed.',
        placeholder: '#alerts',
      },
      { name: 'token', place: 'secret', label: 'Bot token', placeholder: 'xoxb-…' },
      {
        name: 'signingSecret',
        place: 'secret',
        label: 'Signing secret',
        hint: '32 characters. Without it messages have no buttons.',
        isOptional: true,
      },
    ],
    hook: {
      name: 'Request URL',
      steps: [
        'At api.slack.com/apps, open “Interactivity & Shortcuts” of the app and switch it on.',
        'Paste this address as request URL, and under “Select Menus” as options load URL for the menu “Assign…”, and save. Several channels with one app: the address of any of them.',
        'Whoever presses a button needs an account here with the email address that Slack knows.',
      ],
    },
  },
  discord: {
    name: 'Discord',
    steps: [
      'In Discord, open “Edit Channel” and there “Integrations”.',
      'Press “Webhooks”, then “New Webhook”, and copy the webhook URL.',
    ],
    fields: [webhookUrl('https://discord.com/api/webhooks/…')],
  },
  teams: {
    name: 'Microsoft Teams',
    steps: [
      'In Teams, open the menu of the channel (⋯) and there “Workflows”.',
      'Choose the template “Send webhook alerts to a channel” and finish it.',
      'Copy the address that Teams shows at the end.',
    ],
    fields: [webhookUrl('https://….api.powerplatform.com/…')],
  },
  mattermost: {
    name: 'Mattermost',
    steps: [
      'In Mattermost, open “Integrations” in the product menu and there “Incoming Webhooks”.',
      'Press “Add Incoming Webhook”, choose the channel, save, and copy the URL.',
    ],
    fields: [webhookUrl('https://chat.example.com/hooks/…')],
  },
  telegram: {
    name: 'Telegram',
    steps: [
      'In Telegram, write /newbot to @BotFather and copy the token that it answers.',
      'Add the bot to the group or channel and write a message there.',
      'Open https://api.telegram.org/bot<token>/getUpdates: the number behind "chat":{"id": is the chat ID.',
    ],
    fields: [
      {
        name: 'chatId',
        place: 'settings',
        label: 'Chat ID',
        hint: 'A number, negative for groups, or @name of a public channel.',
        placeholder: '-1001234567890',
      },
      {
        name: 'apiUrl',
        place: 'settings',
        label: 'Bot API server',
        hint: 'Only for a server of your own.',
        placeholder: 'https://api.telegram.org',
        type: 'url',
        isOptional: true,
      },
      { name: 'token', place: 'secret', label: 'Bot token', placeholder: '123456:ABC…' },
    ],
  },
  pagerduty: {
    name: 'PagerDuty',
    steps: [
      'In PagerDuty, open the service and there “Integrations”.',
      'Press “Add an integration”, choose “Events API V2”, and copy the integration key.',
    ],
    fields: [
      {
        name: 'apiUrl',
        place: 'settings',
        label: 'Events API',
        hint: 'https://events.eu.pagerduty.com for accounts in the EU.',
        placeholder: 'https://events.pagerduty.com',
        type: 'url',
        isOptional: true,
      },
      { name: 'routingKey', place: 'secret', label: 'Integration key', hint: '32 characters.' },
      {
        name: 'webhookSecret',
        place: 'secret',
        label: 'Webhook signing secret',
        hint: 'PagerDuty shows it when the webhook below is added. Without it, what happens there stays there.',
        isOptional: true,
      },
    ],
    hook: {
      name: 'Webhook URL',
      steps: [
        'In PagerDuty, open “Integrations”, “Generic Webhooks (v3)” and press “New Webhook”.',
        'Paste this address, choose the service, and the events incident.acknowledged, incident.unacknowledged and incident.resolved.',
        'Copy the signing secret that PagerDuty shows then, and save it above.',
      ],
    },
  },
  opsgenie: {
    name: 'Opsgenie',
    steps: [
      'In Opsgenie, open the team and there “Integrations”.',
      'Press “Add integration”, choose “API”, switch it on, and copy the API key.',
    ],
    fields: [
      {
        name: 'apiUrl',
        place: 'settings',
        label: 'API',
        hint: 'https://api.eu.opsgenie.com for accounts in the EU.',
        placeholder: 'https://api.opsgenie.com',
        type: 'url',
        isOptional: true,
      },
      { name: 'apiKey', place: 'secret', label: 'API key' },
      {
        name: 'webhookToken',
        place: 'secret',
        label: 'Webhook token',
        hint: 'Think of one of at least 16 characters. Without it, what happens in Opsgenie stays there.',
        isOptional: true,
      },
    ],
    hook: {
      name: 'Webhook URL',
      steps: [
        'In Opsgenie, add an integration “Webhook” and paste this address.',
        'Under “Add custom headers”, add X-Sonde-Token with the webhook token from above.',
        'Choose the alert actions Acknowledge, Unacknowledge and Close, and switch the integration on.',
      ],
    },
  },
  ntfy: {
    name: 'ntfy',
    steps: [
      'Think of a topic that nobody guesses, and subscribe to it in the ntfy app.',
      'If the topic is protected, create an access token under “Account” on the server.',
    ],
    fields: [
      {
        name: 'serverUrl',
        place: 'settings',
        label: 'Server',
        placeholder: 'https://ntfy.sh',
        type: 'url',
        isOptional: true,
      },
      {
        name: 'topic',
        place: 'secret',
        label: 'Topic',
        hint: 'Whoever knows it can read along, so it is kept like a password.',
      },
      { name: 'token', place: 'secret', label: 'Access token', isOptional: true },
    ],
  },
  webhook: {
    name: 'Webhook',
    steps: [
      'Give the address of a program of yours that takes JSON by POST.',
      'Sonde makes a signing secret and shows it once: with it the program checks that a message is from here.',
    ],
    fields: [
      {
        name: 'url',
        place: 'settings',
        label: 'URL',
        placeholder: 'https://example.com/hooks/sonde',
        type: 'url',
      },
      {
        name: 'template',
        place: 'settings',
        label: 'Body',
        hint: 'JSON; {{headline}}, {{title}}, {{place}}, {{url}}, {{level}}, {{kind}}, {{org}}, {{project}}, {{issue}}, {{rule}}, {{timestamp}}, {{facts}} and {{message}} are filled in. Empty: everything that Sonde knows.',
        placeholder: '{ "text": "{{headline}}: {{title}} {{url}}" }',
        type: 'json',
        isOptional: true,
      },
    ],
  },
  sentry_webhook: {
    name: 'Sentry-compatible webhook',
    steps: [
      'For programs that read the webhooks of Sentry’s integration platform.',
      'Give the program’s address, and as client secret the one that it checks Sentry-Hook-Signature with.',
    ],
    fields: [
      { name: 'url', place: 'settings', label: 'URL', type: 'url' },
      { name: 'clientSecret', place: 'secret', label: 'Client secret' },
    ],
  },
}

export const KIND_IDS = Object.keys(KINDS) as readonly ChannelKind[]

export const isKind = (text: string | null): text is ChannelKind =>
  text !== null && Object.hasOwn(KINDS, text)

export const secretFields = (kind: ChannelKind): readonly KindField[] =>
  KINDS[kind].fields.filter(({ place }) => place === 'secret')
