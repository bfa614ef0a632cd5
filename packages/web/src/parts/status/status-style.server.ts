/** How status pages look: one text, so that the policy can name it by its hash and nothing else may style the page. */
import { createHash } from 'node:crypto'

export const STATUS_STYLE = `
:root{color-scheme:light dark;--paper:#fff;--sunk:#f5f6f7;--line:#e3e6ea;--edge:#828b97;--ink:#14181d;--ink2:#434b57;--ink3:#5f6875;--accent:#0d5c6b;--on:#fff;--good:#1d6b3c;--goods:#e3f3e8;--bad:#b3261e;--bads:#fcebe9;--warn:#85500a;--warns:#fbf0dc;--info:#1c5a9e;--infos:#e3eefa;--m-good:#3f9d63;--m-minor:#dd9a2b;--m-bad:#e0473c;--m-none:#d3d8de}
@media(prefers-color-scheme:dark){:root{--paper:#14171a;--sunk:#0e1113;--line:#272d33;--edge:#727d89;--ink:#e6e9ec;--ink2:#b5bdc6;--ink3:#909aa6;--accent:#67c5d4;--on:#05262c;--good:#77c996;--goods:#14301f;--bad:#f2938b;--bads:#3a1a18;--warn:#e3b267;--warns:#33270f;--info:#86b8ee;--infos:#152a40;--m-good:#4c9c69;--m-minor:#d0912c;--m-bad:#e0574d;--m-none:#3a424a}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif;overflow-wrap:anywhere}
main,header,footer{max-width:46rem;margin:0 auto;padding:0 1rem}
header{padding-top:2rem}
h1{margin:0;font-size:1.5rem;line-height:1.25}
h2{margin:2rem 0 .5rem;font-size:1.125rem}
h3{margin:0;font-size:1rem}
p{margin:.5rem 0}
a{color:var(--accent)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.dim,time{color:var(--ink3)}
.small{font-size:.875rem}
.text{white-space:pre-line}
.banner{margin:1.25rem 0 0;padding:.875rem 1rem;border-radius:6px;font-weight:600;font-size:1.0625rem}
.none{background:var(--goods);color:var(--good)}
.minor{background:var(--warns);color:var(--warn)}
.major,.critical{background:var(--bads);color:var(--bad)}
.maintenance{background:var(--infos);color:var(--info)}
.unknown{background:var(--sunk);color:var(--ink2)}
ul{margin:0;padding:0;list-style:none}
.component{padding:.75rem 0;border-top:1px solid var(--line)}
.component:first-child{border-top:0}
.head{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 1rem}
.operational{color:var(--good)}
.degraded_performance{color:var(--warn)}
.partial_outage,.major_outage{color:var(--bad)}
.under_maintenance{color:var(--info)}
.unknown_state{color:var(--ink3)}
.bars{display:block;width:100%;height:28px;margin:.5rem 0 .25rem}
.d0{fill:var(--m-none)}.d1{fill:var(--m-good)}.d2{fill:var(--m-minor)}.d3{fill:var(--m-bad)}
.incident{margin:.75rem 0;padding:.75rem 1rem;border:1px solid var(--line);border-left-width:4px;border-radius:6px}
.incident.i-minor{border-left-color:var(--m-minor)}
.incident.i-major,.incident.i-critical{border-left-color:var(--m-bad)}
.incident.i-maintenance{border-left-color:var(--info)}
.incident.i-over{border-left-color:var(--line)}
.update{margin-top:.75rem}
.update p{margin:0}
label{display:block;margin-bottom:.25rem}
input{width:100%;max-width:20rem;height:2.5rem;padding:0 .625rem;border:1px solid var(--edge);border-radius:5px;background:var(--paper);color:var(--ink);font:inherit}
button{height:2.5rem;padding:0 1rem;border:0;border-radius:5px;background:var(--accent);color:var(--on);font:inherit;font-weight:600;cursor:pointer}
.line{display:flex;flex-wrap:wrap;gap:.5rem;align-items:end}
.error{color:var(--bad)}
footer{margin-top:2.5rem;padding-top:1rem;padding-bottom:2rem;border-top:1px solid var(--line)}
nav{display:flex;flex-wrap:wrap;gap:.25rem 1rem}
`

const STYLE_HASH = createHash('sha256').update(STATUS_STYLE).digest('base64')

/** Nothing runs, nothing is fetched, nothing frames it; forms go here alone. */
export const STATUS_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${STYLE_HASH}'`,
  'img-src data:',
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')
