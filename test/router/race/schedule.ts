// A schedule: who can be asked, what each of them does, and what happens when. Random ones, readable when they fail.
import fc from 'fast-check'
import type { Presence } from '../../../src/protocol/policy.ts'
import { type QuietPlan, walls, written } from './wall.ts'

/** What a participant says. */
export type Reply =
  | 'choice' | 'words' | 'part' | 'unasked' | 'skip'
  | 'nothing' | 'blanks' | 'half'
  | 'undefined' | 'no list' | 'no selection' | 'two choices'
  | 'failure' | 'cancel' | 'time-out' | 'nobody'
  /** Of approvals: what surfaces say, then what dsh's own UIs do. */
  | 'allow' | 'allow by label' | 'reject' | 'reject with words'
  | 'both' | 'allow twice' | 'allow with words' | 'typed allow' | 'trimmed allow' | 'allow in capitals' | 'neither'
  | 'allowed-once' | 'rejected' | 'unavailable' | 'cancelled'

/** What is asked: questions, or whether a tool may do something. */
export type Kind = 'questions' | 'approval'

/** A listener of the host, by its place in the chain. */
export type HostId = `h${number}`

/** Who speaks: a surface by its number, or a listener of the host. */
export type Who = number | HostId

/** The name of a source's dialog. */
export const DIALOG = 'Agent'

export interface HostPlan {
  /** `delegate`: it calls `next()` at once, and says what that says. */
  readonly first: First | 'delegate'
  /** Whether a plugin of its own registers it, by whose name it is known. */
  readonly ofPlugin: boolean
}

/** How the host is asked. */
export type HostMode = 'race' | 'first' | 'fallback'

/** What it does when it is asked: say something at once, throw, or wait for a step. */
export type First = Reply | 'hang' | 'throw'

/** What holds for a surface in one mode. */
export interface Timing {
  readonly delayMs?: number | undefined
  readonly timeoutMs?: number | undefined
  readonly remindMs?: number | undefined
  readonly remindMax?: number | undefined
}

export interface SurfacePlan {
  /** `personal`: it is asked whoever claims, and not for a claim. */
  readonly claim: 'yes' | 'no' | 'throws' | 'promise' | 'personal'
  readonly first: First
  /** What holds at home and away; `false`: not asked there. */
  readonly home: Timing | false
  readonly away: Timing | false
  /** The same after the configuration was edited, which says so then. */
  readonly edited: { readonly home: Timing | false, readonly away: Timing | false }
  /** Who says so: the configuration in one for both modes or for each, the surface itself, or each of them for one mode. */
  readonly written: 'short' | 'config' | 'own' | 'own and config'
  /** Whether it knows of viewers, and has any at first. */
  readonly watched: boolean | undefined
  readonly silent: boolean
  readonly reminds: boolean
  /** Whether it is registered by a plugin of its own, which can be unloaded. */
  readonly ofPlugin: boolean
  /** Whether it is there when the question is asked; else it may come by a step. */
  readonly early: boolean
  /** Whether it takes approvals. */
  readonly approves: boolean
  /** Whether it looks at its signal when it is asked; else only at the end. */
  readonly eager: boolean
}

export type Step =
  | { readonly kind: 'say', readonly who: Who, readonly reply: Reply }
  /** A listener of the host that has said nothing calls `next()`, and says from then on what that says. */
  | { readonly kind: 'pass', readonly who: HostId }
  | { readonly kind: 'come', readonly who: number }
  /** `said`: what it says in the same tick, just before it goes. `other`: who says something just after. */
  | { readonly kind: 'go', readonly who: number, readonly said?: Reply | undefined, readonly other?: Who | undefined }
  /** Its plugin is unloaded and says something while it goes. */
  | { readonly kind: 'unload', readonly who: number, readonly said: Reply }
  /** The person is somewhere else now. */
  | { readonly kind: 'presence', readonly to: Presence }
  /** Viewers come or go. `told`: the surface says that at once; else it is noticed when it is looked at. */
  | { readonly kind: 'watch', readonly who: number, readonly to: boolean, readonly told: boolean }
  /** The configuration is edited, and there are no quiet hours any more; or it is as it was. */
  | { readonly kind: 'edit', readonly edited: boolean }
  | { readonly kind: 'reconsider' }
  | { readonly kind: 'abort' }
  | { readonly kind: 'close' }

/** Where somebody else's code is called: a method of a surface, a listener of an event, an exporter of the log. */
export type Place = 'claim' | 'ask' | 'watched' | 'remind' | 'settled' | 'event asked' | 'event settled' | 'event presence' | 'log'

/** A step that is done from inside a call, at the first one of its kind. */
export interface Within {
  readonly place: Place
  /** Whose method it is. */
  readonly of: number
  readonly step: Step
}

export interface Schedule {
  readonly ask: Kind
  readonly mode: HostMode
  /** After the configuration was edited. */
  readonly editedMode: HostMode
  /** The host's listeners behind the router, in the order of the chain. Absent for `routeAsk`, which has no host. */
  readonly hosts: readonly HostPlan[] | undefined
  /** Whether it is a source that asks, by `askSurfaces.ask`: then there is no host, and its only listener is the source's own dialog. */
  readonly ofSource: boolean
  readonly rejoinMs: number
  readonly ofAgent: boolean
  /** Whether the turn was over before the question was asked. */
  readonly late: boolean
  readonly surfaces: readonly SurfacePlan[]
  readonly presence: Presence
  /** When it begins, in milliseconds since the epoch. */
  readonly start: number
  readonly quiet: QuietPlan | undefined
  readonly steps: readonly (readonly [afterMs: number, step: Step])[]
  readonly within: readonly Within[]
  /** How an ask that is still open is ended after all. */
  readonly end: 'abort' | 'close'
}

/** The steps with the time of each; the last one is the end. */
export function timed({ steps, end }: Schedule): [at: number, step: Step][] {
  let at = 0
  const all = steps.map(([afterMs, step]): [number, Step] => [at += afterMs, step])
  return [...all, [at + 1000 * UNIT, { kind: end }]]
}

/** What a listener of the host does; `undefined` where there is none of that place. */
export const hostOf = ({ hosts }: Schedule, who: HostId): HostPlan | undefined => hosts?.[Number(who.slice(1))]

/** The name by which a participant is known. */
export const nameOf = (who: Who) => typeof who === 'string' ? who : `s${who}`

function describeStep(step: Step): string {
  switch (step.kind) {
    case 'say': return `${nameOf(step.who)} says ${step.reply}`
    case 'pass': return `${step.who} delegates`
    case 'come': return `${nameOf(step.who)} is registered`
    case 'go': return [
      step.said && `${nameOf(step.who)} says ${step.said} and`, `${nameOf(step.who)} is disposed`,
      step.other !== undefined && `and ${nameOf(step.other)} answers`,
    ].filter(Boolean).join(' ')
    case 'unload': return `the plugin of ${nameOf(step.who)} is unloaded, saying ${step.said}`
    case 'presence': return `the person is ${step.to}`
    case 'watch': return `${nameOf(step.who)} has ${step.to ? 'a viewer' : 'no viewer'}${step.told ? '' : ', and does not say so'}`
    case 'edit': return `the configuration is ${step.edited ? 'edited' : 'as it was'}`
    case 'reconsider': return 'who is asked is decided again'
    case 'abort': return 'the turn is aborted'
    case 'close': return 'the router is unloaded'
  }
}

const describeTiming = (timing: Timing | false) => timing && Object.entries(timing).map(([key, value]) => `${key} ${value}`).join(' ')

function describeSurface(plan: SurfacePlan, index: number): string {
  return [
    `${nameOf(index)}: ${plan.early ? 'there' : 'comes later'}`, `claim ${plan.claim}`, `asked: ${plan.first}`,
    `home ${describeTiming(plan.home) || (plan.home && 'at once')}`, plan.written !== 'short' && `away ${describeTiming(plan.away) || (plan.away && 'at once')}`,
    plan.written, plan.written !== 'short' && `edited: home ${describeTiming(plan.edited.home)}, away ${describeTiming(plan.edited.away)}`, plan.watched !== undefined && (plan.watched ? 'watched' : 'not watched'), plan.silent && 'can be silent', plan.reminds && 'reminds',
    plan.ofPlugin && 'of a plugin', plan.approves && 'takes approvals', plan.eager && 'reads its signal at once',
  ].filter(Boolean).join(', ')
}

/** A schedule as a person reads it. */
export function describeSchedule(schedule: Schedule): string {
  const { ask, mode, editedMode, hosts, ofSource, rejoinMs, ofAgent, late, surfaces, presence, start, quiet, within } = schedule
  return [
    '',
    `  ${ask}${ofSource ? ' of a source' : ''}; host: ${hosts === undefined ? 'none' : `${mode}, edited: ${editedMode}`}; rejoin ${rejoinMs}${ofAgent ? '; of an agent' : ''}${late ? '; aborted before' : ''}`,
    `  ${presence}; from ${new Date(start).toISOString()}; ${quiet
      ? `quiet from ${written(quiet.from)} to ${written(quiet.to)} in ${quiet.zone.name} for ${quiet.who.map(nameOf).join(', ')}` : 'never quiet'}`,
    ...(hosts ?? []).map(({ first, ofPlugin }, at) => `  h${at}: asked: ${first}${ofPlugin ? ', of a plugin' : ''}`),
    ...surfaces.map((plan, index) => `  ${describeSurface(plan, index)}`),
    ...timed(schedule).map(([at, step]) => `  ${String(at).padStart(6)} ms  ${describeStep(step)}`),
    ...within.map(({ place, of, step }) => `  within ${place}${METHODS.includes(place) ? ` of ${nameOf(of)}` : ''}: ${describeStep(step)}`),
    '',
  ].join('\n')
}

const GOOD = { questions: ['choice', 'words', 'part', 'unasked', 'skip'], approval: ['allow', 'reject', 'reject with words', 'allowed-once', 'rejected'] } as const
const BLANK = { questions: ['nothing', 'blanks', 'half'], approval: ['neither', 'typed allow', 'unavailable', 'cancelled'] } as const
const BAD = {
  questions: ['undefined', 'no list', 'no selection', 'two choices', 'failure', 'time-out', 'nobody'],
  approval: ['undefined', 'allow by label', 'both', 'allow twice', 'allow with words', 'trimmed allow', 'allow in capitals', 'failure', 'time-out', 'nobody'],
} as const

/** Replies: most of them leave the ask open, so that a schedule has something to show. */
const replyTo = (kind: Kind): fc.Arbitrary<Reply> => fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom<Reply[]>(...GOOD[kind]) },
  { weight: 3, arbitrary: fc.constantFrom<Reply[]>(...BLANK[kind]) },
  { weight: 6, arbitrary: fc.constantFrom<Reply[]>(...BAD[kind]) },
  { weight: 1, arbitrary: fc.constant('cancel') },
)

/** What somebody says who means to win. */
export function answerOf(kind: Kind, who: Who): Reply {
  if (kind === 'questions') return 'choice'
  return typeof who === 'string' ? 'allowed-once' : 'allow'
}

/** @param hangs how many hang, to one that throws. */
const first = (kind: Kind, hangs: number): fc.Arbitrary<First> => fc.oneof(
  { weight: hangs, arbitrary: fc.constant('hang' as const) },
  { weight: 1, arbitrary: fc.constant('throw' as const) },
  { weight: 2, arbitrary: replyTo(kind) },
)

// Times are whole multiples of this, so that the millisecond by which fake timers put off an immediate that is set from
// a timer never changes what comes first.
export const UNIT = 100

/** How many listeners stand behind the router at most. */
const MOST_HOSTS = 4

const ms = (most: number) => fc.oneof(fc.constantFrom(4, 9), fc.integer({ min: 1, max: most })).map(units => units * UNIT)

/** What a property wants more or less of. */
export interface Taste {
  /** What is asked; questions unless said. */
  readonly ask?: Kind
  /** Whether surfaces have delays and time-outs. */
  readonly policies: boolean
  /** Whether the person comes and goes, there are quiet hours, reminders, and surfaces that nobody watches. */
  readonly modes?: boolean
  /** Whether surfaces come, go and are unloaded. */
  readonly moving: boolean
  /** Whether there is a host, a router and a registry around it, or only `routeAsk`. */
  readonly router: boolean
  /** How many surfaces hang, to one that throws. */
  readonly hangs: number
  /** Whether some of it happens from inside the calls. */
  readonly within?: boolean
  /** Whether it is a source that asks. */
  readonly ofSource?: boolean
}

function timingOf({ policies, modes }: Taste): fc.Arbitrary<Timing> {
  const maybe = (given: fc.Arbitrary<number>, isThere = true) => isThere ? fc.option(given, { nil: undefined }) : fc.constant(undefined)
  return fc.record({
    delayMs: maybe(fc.oneof({ weight: 1, arbitrary: fc.constant(0) }, { weight: 6, arbitrary: ms(300) }), policies),
    timeoutMs: maybe(ms(400), policies),
    remindMs: maybe(ms(300), modes === true),
    remindMax: maybe(fc.integer({ min: 0, max: 4 }), modes === true),
  })
}

function surfaceOf(taste: Taste): fc.Arbitrary<SurfacePlan> {
  const { ask = 'questions', moving, router, hangs, modes } = taste
  const timing = timingOf(taste)
  const inMode: fc.Arbitrary<Timing | false> = fc.oneof({ weight: 4, arbitrary: timing }, { weight: 1, arbitrary: fc.constant(false as const) })
  const ofModes = fc.record({
    home: inMode, away: inMode, edited: fc.record({ home: inMode, away: inMode }), written: fc.constantFrom('config', 'own', 'own and config'),
    watched: fc.constantFrom(undefined, undefined, true, false), silent: fc.boolean(), reminds: fc.boolean(),
  })
  const plain = timing.map(both => ({ home: both, away: both, edited: { home: both, away: both }, written: 'short', watched: undefined, silent: false, reminds: false }) as const)
  return fc.tuple(modes ? fc.oneof({ weight: 3, arbitrary: ofModes }, { weight: 1, arbitrary: plain }) : plain, fc.record({
    claim: fc.constantFrom('no', 'no', 'no', 'no', 'yes', 'yes', 'throws', 'promise', 'personal'),
    first: first(ask, hangs),
    approves: ask === 'questions' ? fc.constant(false) : fc.constantFrom(true, true, true, false),
    ofPlugin: router ? fc.boolean() : fc.constant(false),
    early: moving ? fc.boolean().map(later => !later) : fc.constant(true),
    eager: fc.boolean(),
  })).map(([policy, rest]) => ({ ...policy, ...rest }))
}

function stepOf(count: number, { ask = 'questions', moving, router, modes, ofSource }: Taste): fc.Arbitrary<Step> {
  const reply = replyTo(ask)
  const host: fc.Arbitrary<HostId> = fc.nat(MOST_HOSTS - 1).map((at): HostId => `h${at}`)
  // Where there is no surface, all that can speak is the host.
  const who: fc.Arbitrary<Who> = count > 0 ? fc.nat(count - 1) : host
  const surface = fc.nat(Math.max(0, count - 1))
  const speaker = router ? fc.oneof({ weight: 3, arbitrary: who }, { weight: 1, arbitrary: host }) : who
  const step = (kind: Step['kind'], rest: fc.Arbitrary<object>) => rest.map(one => ({ kind, ...one }) as Step)
  return fc.oneof<fc.WeightedArbitrary<Step>[]>(
    { weight: moving ? 5 : 10, arbitrary: step('say', fc.record({ who: speaker, reply })) },
    { weight: moving ? 1 : 2, arbitrary: fc.constantFrom<Step[]>({ kind: 'abort' }, ...router ? [{ kind: 'close' } as const] : []) },
    ...router && !ofSource ? [{ weight: 2, arbitrary: step('pass', fc.record({ who: host })) }] : [],
    ...moving && count > 0 ? [
      { weight: 8, arbitrary: step('come', fc.record({ who: surface })) },
      { weight: 4, arbitrary: step('go', fc.record({
        who: surface,
        said: fc.option(fc.constantFrom(answerOf(ask, 0), ask === 'questions' ? 'skip' : 'reject', 'cancel'), { nil: undefined, freq: 8 }),
        other: fc.option(speaker, { nil: undefined, freq: 8 }),
      })) },
      { weight: 3, arbitrary: step('unload', fc.record({ who: surface, said: reply })) },
    ] : [],
    ...modes ? [
      { weight: 5, arbitrary: step('presence', fc.record({ to: fc.constantFrom('home', 'away') })) },
      { weight: 2, arbitrary: step('edit', fc.record({ edited: fc.boolean() })) },
      { weight: 1, arbitrary: fc.constant<Step>({ kind: 'reconsider' }) },
      { weight: 4, arbitrary: step('watch', fc.record({ who: surface, to: fc.boolean(), told: fc.boolean() })) },
    ] : [],
  )
}

const METHODS: readonly Place[] = ['claim', 'ask', 'watched', 'remind', 'settled']
const LISTENERS: readonly Place[] = ['event asked', 'event settled', 'event presence', 'log']

function withinOf(count: number): fc.Arbitrary<Within[]> {
  const surface = fc.nat(Math.max(0, count - 1))
  const step: fc.Arbitrary<Step> = fc.oneof<fc.WeightedArbitrary<Step>[]>(
    { weight: 4, arbitrary: fc.constant({ kind: 'reconsider' }) },
    ...count > 0 ? [
      { weight: 4, arbitrary: surface.map((who): Step => ({ kind: 'go', who })) },
      { weight: 3, arbitrary: surface.map((who): Step => ({ kind: 'unload', who, said: 'failure' })) },
      { weight: 3, arbitrary: surface.map((who): Step => ({ kind: 'come', who })) },
    ] : [],
    { weight: 3, arbitrary: fc.constantFrom('home', 'away').map(to => ({ kind: 'presence', to })) },
    { weight: 3, arbitrary: fc.boolean().map(edited => ({ kind: 'edit', edited })) },
    { weight: 1, arbitrary: fc.constantFrom<Step>({ kind: 'abort' }, { kind: 'close' }) },
  )
  const place = fc.oneof(fc.constantFrom(...METHODS), fc.constantFrom(...LISTENERS))
  return fc.array(fc.record({ place, of: surface, step }), { minLength: 1, maxLength: 4 })
}

/** Random schedules. */
export function schedules(taste: Taste): fc.Arbitrary<Schedule> {
  const { ask = 'questions' } = taste
  const hosts = fc.array(fc.record({
    first: fc.oneof(
      { weight: 4, arbitrary: first(ask, 6) }, { weight: taste.moving ? 3 : 1, arbitrary: fc.constantFrom('nobody' as const, 'delegate' as const) },
    ),
    ofPlugin: fc.boolean(),
  }), { maxLength: MOST_HOSTS })
  const dialog = fc.array(fc.record({ first: first(ask, 6), ofPlugin: fc.constant(false) }), { maxLength: 1 })
  // Without a surface there is little to see, so that is rare; as few as possible is what shrinking looks for.
  const counts = fc.constantFrom(0, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 5, 6, 6)
  return counts.chain(count => fc.tuple(taste.modes ? walls(count) : fc.constant({ start: 0, quiet: undefined }), fc.record({
    presence: taste.modes ? fc.constantFrom('home', 'away') : fc.constant('home'),
    ask: fc.constant(ask),
    mode: fc.constantFrom('race', 'race', 'first', 'fallback'),
    editedMode: fc.constantFrom('race', 'first', 'fallback'),
    hosts: !taste.router ? fc.constant(undefined) : taste.ofSource ? dialog : hosts,
    ofSource: fc.constant(taste.ofSource === true),
    rejoinMs: ms(300),
    ofAgent: fc.boolean(),
    late: fc.integer({ min: 0, max: 39 }).map(one => one === 1),
    surfaces: fc.array(surfaceOf(taste), { minLength: count, maxLength: count }),
    steps: fc.array(fc.tuple(ms(150), stepOf(count, taste)), { maxLength: 14, size: 'max' }),
    within: taste.within ? withinOf(count) : fc.constant([]),
    end: taste.router ? fc.constantFrom('abort', 'close') : fc.constant('abort'),
  }))).map(([wall, rest]): Schedule => ({ ...wall, ...rest })).map(schedule => Object.defineProperty(schedule, fc.toStringMethod, { value: () => describeSchedule(schedule) }))
}
