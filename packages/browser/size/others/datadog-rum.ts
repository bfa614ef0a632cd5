import { datadogRum } from '@datadog/browser-rum'

datadogRum.init({ applicationId: 'a', clientToken: 'b', site: 'datadoghq.com' })
export { datadogRum }
