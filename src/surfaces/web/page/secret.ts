// The secret that opens the data: the token for everything, kept in the browser, or a grant for one ask, kept in the tab.
// Either comes in the link's fragment, which no server or log sees, and is removed from the address bar at once.

const KEY = `ask-web:${location.pathname}:`

/** Also kept in memory: a browser may have no storage. */
let current: string | undefined

/**
 * The secret.
 *
 * @returns `undefined` when this browser never had a link.
 */
export function secret(): string | undefined {
  return current
}

/** A random name. */
export function newName(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), byte => byte.toString(16).padStart(2, '0')).join('')
}

/** The name of this browser, by which the server counts its streams. */
export function browserName(): string {
  const name = newName()
  try {
    const known = localStorage.getItem(`${KEY}browser`)
    if (known !== null && /^[\w-]{1,64}$/.test(known)) return known
    localStorage.setItem(`${KEY}browser`, name)
  } catch { /* no storage: this page counts as a browser of its own */ }
  return name
}

/** Take the secret from the address bar, or from where it was kept. */
export function findSecret(): void {
  const [, kind, value] = /^#(t|g)=([\w.~-]+)$/.exec(location.hash) ?? []
  if (location.hash !== '') history.replaceState(null, '', location.pathname + location.search)
  try {
    if (kind === 't') {
      localStorage.setItem(`${KEY}token`, value!)
      sessionStorage.removeItem(`${KEY}grant`)
    } else if (kind === 'g') sessionStorage.setItem(`${KEY}grant`, value!)
  } catch { /* no storage: after a reload the link has to be opened again */ }
  current = value ?? read('grant', () => sessionStorage) ?? read('token', () => localStorage) ?? current
}

function read(kind: 'grant' | 'token', storage: () => Storage): string | undefined {
  try {
    return storage().getItem(KEY + kind) ?? undefined
  } catch { return undefined /* no storage */ }
}
