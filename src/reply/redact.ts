// Takes what may be a secret out of somebody else's text, such as an error of another plugin, before a person or a log gets
// it. It cannot know every secret: what stands beside a telling word goes, and what looks like no word of any language.

/** No more of a text is read. */
const MAX_LENGTH = 2000

/** What stands for a secret that was taken out. */
const GONE = '…'

/** Words after which a secret may come: long ones also as a part of a name, such as `accessToken`, short ones alone or after `_`. */
const KEY = '(?:(?:password|passwd|passphrase|passcode|token|secret|credential|api[-_ ]?key|(?:access|private|signing|encryption)[-_ ]?key|authorization|signature)[\\w-]*'
  + '|(?<![a-z])(?:pass|pwd|pin|otp|auth|sig|topic|user(?:name)?|login|nonce|jwt)(?:[-_][\\w-]*)?(?![a-z])|密码|口令|令牌|密钥|主题)'

/** What follows such a word in a sentence about it, and is no secret. */
const PROSE = '(?:and|are|at|be|by|can|cannot|could|does|empty|expected|expired|failed|failure|field|for|from|given|has|have|header|in|incorrect|invalid|is|isn\'t|length|may|mismatch|missing|must|needs?|no|none|not|null|of|on|or|rejected|refused|required|scheme|should|string|that|the|to|too|undefined|unknown|wants?|was|were|will|with|wrong)'

/** Of an address without a scheme: a name with dots, a number, or a port, and then a path. */
const HOST = String.raw`(?:localhost|\[[\da-f:.]+\]|\d{1,3}(?:\.\d{1,3}){3}|(?:[\w-]+\.)+[a-z]{2,}|[\w-]*[a-z][\w-]*(?=:\d))`

/** Each takes out what it finds; what is to stay in front of it is its first group. */
const RULES: readonly RegExp[] = [
  /()-----BEGIN [^]*?(?:-----END [^-]*-----|$)/g,
  // Whole addresses, since a topic is a path, and credentials before a host, also where they are encoded for an address.
  /()\b[a-z][\w+.-]*:(?:\\?\/){2}\S+/gi,
  /()[^\s:/"'(=]{1,100}(?::|%3A)\S{1,200}?(?:@|%40)\S+/gi,
  new RegExp(String.raw`()(?<![\w./])${HOST}(?::\d+)?\\?/\S+`, 'gi'),
  /((?:^|\s)(?:-u|-p|--(?:user|pass(?:word)?|token|auth|key))[ =])\S+/g,
  // The rest of a header's line is its value.
  /((?:^|[^\w-])(?:proxy-)?(?:authorization|set-cookie|cookie|x-[\w-]*(?:key|token|auth)[\w-]*)["']?\s*:).*/gi,
  new RegExp(String.raw`(\b(?:Bearer|Basic|Digest|Negotiate|ApiKey|AWS4-HMAC-SHA256)[\s:=]+)(?!(?:${PROSE}|auth\w*|tokens?|credentials?)\b)\S+`, 'gi'),
  // Quoted, or after `=` or `:`, it may hold anything; after a mere space only what is hardly a word.
  new RegExp(String.raw`(${KEY}["'\]]*(?:\s+(?:is|was|are|of)|\s*[:=：]|[^\S\n]*=>)?\s*)(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|${'`[^`]*`'}|“[^”]*”)`, 'gi'),
  new RegExp(String.raw`(${KEY}["'\]]*\s*(?:[:=：]|=>)\s*)(?!…|${PROSE}\b)\S+`, 'gi'),
  new RegExp(String.raw`(${KEY}(?:\s+(?:is|was|of))?\s+)(?!…|${PROSE}\b)(?=\S*(?:\d|\w[-_]\w))\S+`, 'gi'),
  // A topic is often a plain word.
  new RegExp(String.raw`(\btopic\s+)(?!…|(?:${PROSE}|names?)\b)\S+`, 'gi'),
  /([?&#])[\w-]+=\S+/g,
  // Tokens that say by their beginning what they are.
  /()(?<![\w+/=-])(?:(?:sk|pk|rk|glpat|xox[a-z]|xapp)-|(?:gh[a-z]|github_pat|npm|hf|tk|pypi|dop_v1|shpat|sk_live|sk_test)_|AKIA|ASIA|AIza|ya29\.|eyJ|SG\.)[\w./+=-]{6,}/g,
]

/** What may be base64, hexadecimal, a token of some other kind, or only a long name. */
const RUN = /[\w+/=~-]{16,}/g

/**
 * Take out what may be a secret: addresses, credentials, and whatever looks like a token.
 *
 * @param text somebody else's text, of any length; of a very long one the beginning counts.
 */
export function redact(text: string): string {
  // A secret that is cut in two is one that nothing here knows.
  let left = text.length > MAX_LENGTH ? text.slice(0, MAX_LENGTH).replace(/\S*$/, GONE) : text
  for (const rule of RULES) left = left.replace(rule, (_all, before: string) => before + GONE)
  return left.replace(RUN, (run, at: number, all: string) => isName(all[at + run.length] === GONE ? run.replace(/=$/, '') : run) ? run : GONE).replaceAll(/…(?:[.:/@=…]*…)+/g, GONE)
}

/** Whether a run of characters is made of words and short numbers, as a file's path or an error's code is. */
function isName(run: string): boolean {
  if (/^\d+$/.test(run)) return true
  // As only base64 has them.
  if (/\w\+\w|=$/.test(run)) return false
  return run.split(/[^a-z\d]+/i).every(part => /^\d{0,13}$/.test(part) || /^\d{1,2}T\d{1,6}Z?$/.test(part) || isWord(part.replace(/\d{1,3}$/, '')))
}

/** Whether letters are a word, or several as `camelCase` writes them. */
function isWord(letters: string): boolean {
  if (!/^[a-z]+$/i.test(letters)) return false
  const words = letters.match(/[A-Z]?[a-z]+|[A-Z]+/g)!
  if (letters.length <= 3 || words.length === 1) return letters.length <= 28
  // Random letters change their case more often, and are seldom to be spoken.
  const isSpeakable = words.every(word => word.length > 1 && (word.length < 4 || /[aeiouy]/i.test(word)) && !/[^aeiouy]{6}/i.test(word))
  return isSpeakable && letters.length / words.length >= (words.length < 3 ? 3 : 4)
}
