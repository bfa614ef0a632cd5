/** Mean response times of the last 24 hours as a small line; hours in which nothing was up are gaps. */
const WIDTH = 95
const HEIGHT = 24

export function TimeLine({ times }: { readonly times: readonly (number | null)[] }) {
  const known = times.filter((time) => time !== null)
  if (known.length === 0) return <span className="muted">–</span>
  const peak = Math.max(...known, 1)
  const low = Math.min(...known)
  const mean = known.reduce((sum, time) => sum + time, 0) / known.length
  const label = `Mean ${Math.round(mean)} ms, by hour ${Math.round(low)} to ${Math.round(peak)} ms`
  const step = WIDTH / Math.max(1, times.length - 1)
  const y = (time: number): number => HEIGHT - 1 - (time / peak) * (HEIGHT - 3)
  return (
    <span className="uptime-line">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
        <title>{label}</title>
        {times.map((time, index) => {
          const next = times[index + 1]
          if (time === null) return null
          if (next === null || next === undefined)
            return <circle key={index} cx={index * step} cy={y(time)} r="1" />
          return <line key={index} x1={index * step} y1={y(time)} x2={(index + 1) * step} y2={y(next)} />
        })}
      </svg>
      <span className="num">{Math.round(mean)} ms</span>
    </span>
  )
}
