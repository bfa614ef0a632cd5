/** Options that every command of a server understands. */
export const SERVER_OPTIONS = {
  url: {
    type: 'string',
    about: 'The Sonde. Without it `SONDE_URL`, what the token says, or the one logged in to.',
  },
  org: {
    type: 'string',
    about: 'The organization. Without it `SONDE_ORG`, what the token says, or that of the login.',
  },
  token: {
    type: 'string',
    about: 'Better given as `SONDE_AUTH_TOKEN`, or by `sonde login`: others see command lines.',
  },
} as const
export const PROJECT_OPTION = {
  project: {
    type: 'string',
    about: 'The project, as `PROJECT` or `ORG/PROJECT`. Without it `SONDE_PROJECT`.',
  },
} as const
