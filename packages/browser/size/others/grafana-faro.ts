import { faro, initializeFaro } from '@grafana/faro-web-sdk'

initializeFaro({ url: 'https://faro.example/collect', app: { name: 'shop' } })
export { faro }
