export function portProblem(env?: {
  readonly [name: string]: string | undefined
}): Promise<string | undefined>
