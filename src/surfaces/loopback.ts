// Which hosts are this machine itself, for settings that are safe there and nowhere else.

/**
 * Whether a host name or address is a loopback one.
 *
 * @param host as a setting or a URL has it; an IPv6 address with or without its brackets.
 */
export function isLoopback(host: string): boolean {
  return /^(localhost|\[?::1\]?|127(\.\d{1,3}){3})$/.test(host)
}
