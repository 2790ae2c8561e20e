// The secret that opens the data: the token for everything, kept in the browser, or a grant for one ask, kept in the tab.
// Either comes in the link's fragment, which no server or log sees, and is removed from the address bar at once. Another site
// can send the browser here with a fragment of its own: what was proved good is only replaced by what is proved good.
import type { Secret } from './proof.ts'

const KEY = `ask-web:${location.pathname}:`

/** From the address, and not proved yet. Also kept in memory, like the other: a browser may have no storage. */
let fresh: Secret | undefined
let proved: Secret | undefined

/** A random name. */
export function newName(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), byte => byte.toString(16).padStart(2, '0')).join('')
}

/** The name of this browser, by which the server counts its streams. */
export function browserName(): string {
  const name = newName()
  return attempt(() => {
    const known = localStorage.getItem(`${KEY}browser`)
    if (known !== null && /^[\w-]{1,64}$/.test(known)) return known
    localStorage.setItem(`${KEY}browser`, name)
    return name
  }) ?? name
}

/** Take the secret from the address bar, and from where one was kept. */
export function findSecret(): void {
  const [, kind, value] = /^#(t|g)=([\w.~-]+)$/.exec(location.hash) ?? []
  if (location.hash !== '') history.replaceState(null, '', location.pathname + location.search)
  // In the tab, so that it is still there after a login in front of the host.
  if (value !== undefined) attempt(() => sessionStorage.setItem(`${KEY}fresh`, `${kind} ${value}`))
  const [, keptKind, keptValue] = /^(t|g) (\S+)$/.exec(attempt(() => sessionStorage.getItem(`${KEY}fresh`)) ?? '') ?? []
  const [foundKind, found] = value === undefined ? [keptKind, keptValue] : [kind, value]
  if (found !== undefined) fresh = { kind: foundKind as Secret['kind'], value: found }
  proved = read('g', () => sessionStorage) ?? read('t', () => localStorage) ?? proved
}

/** The secrets to try, the best one first; none when this browser never had a link. */
export function secrets(): readonly Secret[] {
  return [fresh, proved].filter(secret => secret !== undefined)
}

/** The host has proved that it knows a secret: from now on it is the one. */
export function keepSecret({ kind, value }: Secret, port: number): void {
  if (proved?.kind === kind && proved.value === value && proved.port === port && fresh === undefined) return
  fresh = undefined
  proved = { kind, value, port }
  attempt(() => {
    if (kind === 't') localStorage.setItem(`${KEY}token`, `${value} ${port}`)
    else sessionStorage.setItem(`${KEY}grant`, `${value} ${port}`)
    if (kind === 't') sessionStorage.removeItem(`${KEY}grant`)
    sessionStorage.removeItem(`${KEY}fresh`)
  })
}

/** The host does not know a secret. One that it once knew is kept: it may have been another host. */
export function dropSecret(secret: Secret): void {
  if (secret !== fresh) return
  fresh = undefined
  attempt(() => sessionStorage.removeItem(`${KEY}fresh`))
}

function read(kind: Secret['kind'], storage: () => Storage): Secret | undefined {
  const kept = attempt(() => storage().getItem(KEY + (kind === 't' ? 'token' : 'grant')))
  const [value, port] = kept?.split(' ') ?? []
  return value === undefined ? undefined : { kind, value, ...port !== undefined && { port: Number(port) } }
}

/** Where there is no storage, after a reload the link has to be opened again. */
function attempt<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch { return undefined /* no storage */ }
}
