// How hard a secret is to guess for somebody who knows how people make secrets up: from words, names, dates, neighbours on the
// keyboard, counting, and repeating themselves. An estimate from above: what it calls weak is weak; what it calls strong
// may still be a line of a song.

/** Letters one after another: how rare each follower is, in bits. Measured on English prose; other languages in Latin letters come close. */
const FOLLOWERS = [
  '85458758596343959343567868', '37673878367379379446399968', '39583983594479269563599979', '37752767288567489557578969',
  '57435668688453757234867579', '49773499299479399464498859', '49682764399464469346499978', '29982989398766369474598969',
  '54454659997452369543859797', '27553787487787358738498989', '36762665387565469535597869', '37752779298379379855479949',
  '25772889399658339858599989', '48433638486786479833669968', '76547668787442549345455879', '39773985498378349354499959',
  '74999999699499999785059999', '37552769396655369544668959', '59473794395677459742478968', '39672793298679478345597958',
  '54554669597443859333989797', '39781969299767499878799989', '29763884299594489448896989', '38363896499758629962799669',
  '36564758597454439434586978', '26892884397558479966699954',
]
/** What the first letter of a word tells, in bits. */
const FIRST = 4
/** A word of some language reads well: its letters cost no more than this on average. By chance they cost 6. */
const READS = 3.8
/** What reads less well may be a word too, or a name. */
const LISTED = 0.8
/** What a word costs at least, by its length: there are some 1,000 of three letters, and 16,000 are known to a cracker. */
const WORD = [10, 12, 13, 14, 14, 14]
const MIN_WORD = 3, MAX_WORD = MIN_WORD + WORD.length - 1

/** What is counted through; each in both directions. */
const ROWS = [
  'abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiop', 'qwertzuiop', 'azertyuiop', 'asdfghjkl', 'qsdfghjklm', 'zxcvbnm', 'yxcvbnm',
  'janfebmaraprmayjunjulaugsepoctnovdec', 'montuewedthufrisatsun', 'qazwsxedcrfvtgbyhnujmikolp',
].flatMap(row => [row, Array.from(row).toReversed().join('')])

/** What a stretch of them costs: which one, where it starts, and how far it goes. */
const COUNTED = 9
/** How far a repetition goes; where it starts costs more the later it comes. */
const REPEATED = 3

/** What it costs how digits and letters take turns: with the same lengths again and again, or each turn for itself. */
const EVEN = 6, UNEVEN = 2

const LEET: Readonly<Record<string, string>> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't' }

/**
 * Estimate how hard a secret is to guess.
 *
 * @returns bits, at most what its length and alphabet allow.
 */
export function guessBits(secret: string): number {
  const text = secret.slice(0, 256)
  return Math.min(inOrder(text), apart(text))
}

/** Read from left to right: the cheapest way to put the text together. */
function inOrder(text: string): number {
  const lower = text.toLowerCase(), plain = lower.replaceAll(/[013457]/g, digit => LEET[digit]!)
  const one = Math.log2(alphabetOf(text))
  const costs = [0]
  for (let end = 1; end <= text.length; end++) {
    // What stands between the parts says little.
    let cost = costs[end - 1]! + (/[-_.~ ]/.test(text[end - 1]!) ? Math.min(one, 2) : one)
    for (let start = end - MIN_WORD; start >= 0; start--) {
      const part = lower.slice(start, end)
      const found = lower.indexOf(part) < start ? Math.min(COUNTED, REPEATED + Math.log2(start + 1))
        : isCounted(part) ? COUNTED : wordBits(plain.slice(start, end)) + leetBits(part)
      cost = Math.min(cost, costs[start]! + found + caseBits(text.slice(start, end)))
    }
    costs.push(cost)
  }
  return costs.at(-1)!
}

/** Read as two secrets that were pushed into each other, as in `1q2w3e4r`: the digits, the rest, and how they take turns. */
function apart(text: string): number {
  const digits = text.replaceAll(/\D/g, ''), rest = text.replaceAll(/\d/g, '')
  if (digits === '' || rest === '') return Infinity
  const turns = text.match(/\d+|\D+/g)!.map(({ length }) => length)
  // In a made-up secret the turns have the same lengths again and again, or nearly.
  const isEven = turns.slice(2).every((length, at) => length === turns[at])
  return inOrder(steps(digits, turns, text)) + inOrder(rest) + (isEven ? EVEN : UNEVEN * turns.length)
}

/** Numbers that are counted up, such as 01 02 03, as what they count from. */
function steps(digits: string, turns: readonly number[], text: string): string {
  const numbers = text.match(/\d+/g)!.map(Number)
  const [first = 0, second = 0] = numbers
  const isCount = turns.length > 4 && numbers.every((number, at) => number === first + at * (second - first))
  return isCount ? digits.slice(0, Math.max(1, Math.round(digits.length / numbers.length))) : digits
}

/** How many characters there may be, by those that are. */
function alphabetOf(text: string): number {
  if (/^\d*$/.test(text)) return 10
  if (/^[\da-f-]*$/i.test(text)) return 16
  return (/\d/.test(text) ? 10 : 0) + (/[a-z]/.test(text) ? 26 : 0) + (/[A-Z]/.test(text) ? 26 : 0) + (/[^\da-zA-Z]/.test(text) ? 2 : 0)
}

function isCounted(part: string): boolean {
  return /^(.)\1+$/.test(part) || /^(19|20)\d\d$/.test(part) || ROWS.some(row => row.includes(part))
}

/** What it costs to find a word; `Infinity` for what cannot be one. */
function wordBits(part: string): number {
  if (part.length > MAX_WORD || !/^[a-z]+$/.test(part)) return Infinity
  let bits = FIRST
  for (let at = 1; at < part.length; at++) bits += Number(FOLLOWERS[part.charCodeAt(at - 1) - 97]![part.charCodeAt(at) - 97])
  const least = WORD[part.length - MIN_WORD]!
  return bits - FIRST <= READS * (part.length - 1) ? least : Math.max(least, bits * LISTED)
}

/** Small letters are what one expects; a capital or two at the ends are a habit. */
function caseBits(part: string): number {
  return /^[^A-Z]*$/.test(part) ? 0 : /^([A-Z][^A-Z]*|[^a-z]*)$/.test(part) ? 1 : 2 * part.length
}

/** One bit for each digit that stands for a letter. */
function leetBits(part: string): number {
  return part.match(/\d/g)?.length ?? 0
}
