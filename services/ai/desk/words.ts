/** What is known of how people ask, as data. Words are folded and singular, as terms are. */

const wordSet = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Words of questions that name no part. */
export const NOISE = wordSet(`
a basket mechanic mechanics discounts add adding about actually again all also am an and any anybody anyone anything are as ask at available availability back be been before belong big both brand buddy buy by called can cannot cant
cart cancel catalog catalogue check come comes cost could current currently day dealer delivered delivery detail did direct do doc document does doing done dont each either else enough equipment
every exact exactly exist expensive figure diagram drawing schema section view find first fit fitment fits fitted for from full genuine get getting give go goes going good got guy had hand has have
having hello help hey hi him hold holds holding how howmany i if im in info information instead into is it item its itself just keep keeps kind know last latest least less let like link list listed
located long look looking lot lowest machine make manual many mate may me mean mention mentioned model month more most much mounted my name need needed needs new no not now number numbers of off ok
okay old on one online only or order ordering original other our out own owner page part parts people piece pieces place please pls plz possible price priced pricing product put quantity qty question
really replaced replacement replaces replace require required right say see sell send several shall she shelf ship shipped shipping shop should show shown shows side sir so some somebody someone
something soon sort specific specified still stock store such superseded supersede supersedes sure take takes tell thank thanks that the their them then there therefore these they thing think this
those thx to today together too total two u under unit until up ur us use used uses using very want was way we week well were wat what whats when where which who whose why will with without wonder
work working would wot wich year yes yet you your ve correct whole fix fixed fixing repair broke broken bent worn torn cracked snapped damaged leak leaks leaking missing lost rusty rusted stuck dull
confirm pretend assume imagine act obey translate repeat write respond reply answer approve approved discount code ignore anywhere somewhere nowhere somehow asap urgently urgent advance neighbour
neighbor friend wife husband dad boss customer gave give given found seem seems trying tried try replacing change changing changed install installing swap swapping stripped seized shot dead faulty failed bad chewed split ripped frayed leftover spare aftermarket factory quality
crappy decent proper never ever always often kindly regards greetings dear cheers maybe perhaps anyway wondering interested suggest recommend recommended advise thingy picture photo illustration schematic breakdown exploded
cheap cheaper cheapest best different various distinct altogether sum suit suits suitable compatible component components everything attach attached attaches secure secures secured fasten fastens
fastened contain contains appear appears sit sits same identical between compare compared comparing comparison difference differ differs than versus vs
`);

/** Words for a machine as a whole: beside its name they name no part. */
export const MACHINES = wordSet(
  "mower lawnmower lawn rider tractor garden engine motor machine unit equipment sprayer baler cutter loader vehicle rig",
);

export type Wanted = "part" | "quantity" | "page" | "replacement" | "offer" | "fitment";

/** What is wanted, by its words; the first that fits. */
export const WANTED: readonly (readonly [wanted: Wanted, asked: RegExp])[] = [
  [
    "quantity",
    /\bhow many\b|\b(?:quantit(?:y|ies)|qty)\b(?!\.?:? ?\d{1,3}(?![\w./-]))|\bnumber of (?!the\b)(?!part)[\p{L}\s-]+s\b|\bhow much of\b/iu,
  ],
  [
    "replacement",
    /\b(?:re)?placed by\b|\bsupersed|\breplacement (?:number|part number) (?:for|of)\b|\bsuccessor\b|\b(?:what|which|who) (?:\w+ )?replaces?\b|\bwhat do(?:es)? .{3,30} replace\b|\breplaces what\b|\bno longer (?:available|supplied|made)\b|\bdiscontinued\b|\bnew(?:er)? (?:part )?number\b|\bobsolete\b/i,
  ],
  [
    "page",
    /\b(?:what|which|on what|on which) (?:page|figure|fig\.?|diagram|drawing|schema|section|exploded view)\b|\bwhere (?:is|are|can i (?:find|see)|do i find|in the manual)\b|\b(?:page|figure) (?:number|is|shows)\b|\bshow(?:s|n)? (?:me )?(?:in|the diagram|where)\b/i,
  ],
  [
    "fitment",
    /\bwhat (?:does|do|else does|machines?|equipment|models?)\b.*\bfits?\b|\bwhat (?:will |would |else )?fits? (?:the |this |that )?(?:part|number)\b|\b(?:which|what) (?:machines?|equipment|models?|tractors?|mowers?|engines?|units?|balers?|sprayers?|cutters?)\b|\bwhere (?:is|are) .*\bused\b|\bfits? what\b|\bused (?:on|in|by) (?:which|what)\b|\bgoes? on (?:which|what)\b|\bwhat is .* (?:for|used (?:on|in|for))$/i,
  ],
  [
    "offer",
    /\b(?:price|priced|prices|pricing|cost|costs|how much|stock|shelf|available|availability|cheap(?:er|est)|(?:least|less) expensive|lowest[- ]pric\w*|deliver(?:y|ed)?|ship(?:ping|ped)?|lead time|when can i get|buy|order|have (?:it|them|any)|got any|any left|do you (?:have|sell|carry|stock))\b/i,
  ],
];

/** What only a cart, an account or the checkout can do. */
export const ORDERS =
  /\b(?:my|an|your|that) orders?\b|\border (?:#|status|history)|\b(?:add|put|throw)\b.*\b(?:cart|basket)\b|\b(?:my|the) (?:cart|basket|package|parcel|shipment|invoice|account)\b|\bcheck ?out\b|\b(?:cancel|refund|track|return) (?:my|the|an?|this|that|it|them)\b|\b(?:order|buy|purchase|get|ship|send|deliver)\b.*\b(?:for me|to me|to my)\b|\b(?:place|make|change) an? order\b|\b(?:i(?:'d| would)? (?:like|want)|can i|could i|let me) (?:to )?(?<!where can i )(?:buy|order|purchase|return|pay)\b|\b(?:ship|send|deliver) (?:it|them|this|that|these)\b|^(?:please )?(?:order|buy|purchase) (?:me )?(?:an?|the|one|\d+)\b|\bpay (?:with|by)\b|\b(?:cancel|refund|track|return) (?:my )?orders?\b|\border (?:no\.?|number)?\s*#?\d{4,}|\breturn a part\b|\bmoney back\b/i;
export const ORDER_ID = /\border (?:(?:no|number|id)\b\.?:? ?)?#?(?=\S*\d)([A-Za-z0-9_-]{4,40})/i;
/** Of these, what puts parts into a cart. */
export const CART =
  /\b(?:add|put|throw)\b.*\b(?:cart|basket)\b|\b(?:order|buy|purchase|get|ship|send)\b.*\b(?:for me|to me|to my)\b|\b(?:i(?:'d| would)? (?:like|want)|can i|could i|let me) (?:to )?(?:buy|order|purchase)\b|^(?:please )?(?:order|buy|purchase) (?:me )?(?:an?|the|one|\d+)\b/i;
export const KNOWN_MACHINES =
  /\b(?:machines?|equipment|models?|manuals?|brands?|makes?|tractors?|mowers?|engines?)\b.{0,20}\b(?:can|could|do) you (?:help|know|cover|have|support|do|answer|handle)\b|\bdo you (?:cover|support|know|handle|have manuals)\b.*\b(?:machines?|equipment|models?|brands?|tractors?|mowers?|engines?)\b|\b(?:which|what|list|show|how many)\b(?:\s+(?!part)\w+){0,4}\s+(?:machines?|equipment|models?|manuals?|brands?|makes?|tractors?|mowers?|engines?)\b(?=\s+(?:do|can|could|are|were|have|you|of|from|by|in|for|that|known?)\b|\s*,).*\b(?:(?:do|can|could) you (?:know|have|cover|support|answer|read)|are (?:known|there|covered|supported|available)|(?:have you|you have|were|you've) (?:read|got)?|know about|in (?:your|the) (?:system|shop|database))\b|\b(?:list|show)\s+(?:me\s+)?(?:all\s+)?(?:the\s+)?(?:known\s+)?(?:machines|manuals|equipment|models)\b/i;

export const TOTAL = /\b(?:total|altogether|in all|together|combined|sum)\b/i;
export const LIST = /\b(?:parts|components|pieces)\b(?! numbers?\b)|\beverything (?:in|on|of)\b/i;
export const CHEAPEST =
  /\bcheap(?:er|est)\b|\b(?:least|less) expensive\b|\blowest[- ]pric\w*|\bcosts? (?:the )?(?:least|less)\b/i;
export const CHEAPEST_THING =
  /(?<!\b(?:is|are|be)\s)\b(?:cheap(?:er|est)|(?:least|less) expensive)\s+(?!than\b|of\b|ones?\b|for\b|on\b|in\b|that\b|which\b|or\b|and\b|the\b)\p{L}/iu;
export const WHICH_IN_STOCK = /\b(?:which|what)\b(?: [\w'-]+){0,6} (?:in stock|available|on hand)\b/i;
/** Whether one part is right for one machine. */
export const DOES_IT_FIT =
  /\b(?:fits?|right|correct|suits?|suitable|compatible|belongs?|go(?:es)? on|works? (?:on|with|for|in)|can i use)\b/i;
export const DELIVERY = /\bdeliver|\bship|\blead time|\bwhen can i get\b/i;
export const CONTACT =
  /\b(?:(?:tele)?phone|fax) numbers?\b|\b(?:phone|hotline|e-?mail address|customer service)\b|\b(?:who|whom|number) (?:do|can|should|to) i call\b/i;
/** Asks for something that is no part. */
export const NO_PART =
  /\bhow (?:long|heavy|fast|slow|big|old|wide|deep|high|tall|loud|far|hot|often|do|does|can|should|to)\b|\b(?:who|why)\b|\bwhen (?:do|does|should|is|was|are)\b/i;
/** What may be the other words for what was spoken of before. */
export const IT = /\b(?:it|its|that|this|those|these|them|they|(?:that|this|which|the same) one|ones|the same)\b/i;
/** "It" is an equipment, and what is asked for is a part of that: `how many does it need`, `a filter for it`. */
export const MACHINE_IT =
  /\b(?:do|does|did|will|would|can|could|should|must)\s+(?:it|that|this|they|that one|this one)\s+(?:need|have|has|take|use|require|get|come|hold)\b|\b(?:for|on|fits?|into)\s+(?:it|that|this|them|that one|this one)\b(?!\s+\w)|\bits\b/i;
/** What goes on from the answer before. */
export const GOES_ON =
  /^(?:(?:ok(?:ay)?|and|also|or|now|then|so|but|well|great|good|thanks|same|the same|what about|how about)\b[\s,]*)+|^(?:for|on) (?:an?|the|my)\b/i;
/** A statement of what somebody has, and no question. */
export const OWNS =
  /\b(?:i|we)(?:'ve| have|'m| am| own| got| bought| run)\b|\b(?:is|it's|its|got|own|have) (?:an?|the|my)\b|^my\b/i;
/** What asks for something. */
export const ASKS =
  /\b(?:what|which|how|where|who|when|is|are|do|does|can|could|need|want|look|looking|price|cost|find|number|order)\b|^(?:the|an?|some|one)\s/i;

export interface Symptom {
  asked: RegExp;
  parts: readonly string[];
  /** What manuals say of it. */
  said?: string;
}

/** What goes wrong, and the parts that it often comes from, the likeliest first. */
const SYMPTOM_ROWS: readonly (readonly [asked: RegExp, parts: string])[] = [
  [
    /\b(?:pull cord|recoil|rewind|starter rope|rope|cord)\b.*\b(?:won'?t|does(?:n'?t| not)|not|stuck|slip\w*|retract\w*|rewind\w*|jam\w*)\b/i,
    "starter rope, recoil starter, ratchet pawl, rope handle",
  ],
  [
    /\b(?:won'?t|will not|does(?:n'?t| not)|not|hard to|no|refuses to|can'?t|cannot|difficult to|slow to) (?:start(?:ing)?|crank(?:ing)?|turn(?:ing)? over|fire|run)\b|\bno (?:spark|crank)\b|\bstart(?:s|ing)? (?:problem|trouble|issue)s?\b|\bhard[- ]start/i,
    "starter motor, starter solenoid, recoil starter, spark plug, ignition coil, fuel solenoid, fuel filter, carburetor, fuel pump, battery, switch",
  ],
  [
    /\b(?:runs?|running|idles?|idling) (?:rough|poor\w*|badly|uneven\w*|lean|rich)|\b(?:surg(?:es?|ing)|hunts?|hunting|stall(?:s|ing)?|dies|dying|backfir\w+|misfir\w+|bogs? down|sputter\w*|loses? power|no power|lack of power)\b/i,
    "carburetor, carburetor repair kit, fuel filter, air filter, spark plug, fuel pump, idle mixture screw, ignition coil",
  ],
  [
    /\b(?:cut(?:s|ting)?|mow(?:s|ing)?)\b.*\b(?:uneven\w*|bad(?:ly)?|poor(?:ly)?|ragged|streaks?|strips?|crooked)\b|\b(?:uneven|poor|bad) cut\b|\bleaves? (?:grass|streaks|strips|uncut)/i,
    "blade, blade spindle, spindle bearing, spindle shaft, deck hanger, deck belt",
  ],
  [
    /\bbelts?\b.*\b(?:slip\w*|c[ao]m\w+ off|jump\w*|falls? off|fell off|squeal\w*|squeak\w*|burn\w*|smok\w*|break\w*|snap\w*|shred\w*|throw\w*)\b|\b(?:slip\w*|throw\w*|shred\w*|burn\w*|eat\w*|squeal\w*)\b.*\bbelts?\b/i,
    "belt, idler pulley, idler spring, idler arm, belt keeper, belt guide, pulley",
  ],
  [
    /\b(?:leak(?:s|ing|ed|age)?|drip(?:s|ping)?|seep(?:s|ing)?|los(?:es|ing) (?:oil|fuel|gas))\b/i,
    "seal, gasket, oil seal, float bowl, bowl nut, needle valve, drain plug, plug, o-ring, hose, line, repair kit",
  ],
  [
    /\b(?:vibrat\w*|shak(?:es?|ing)|wobbl\w*|rattl\w*|grind(?:s|ing)?|nois[ey]\w*|squeal\w*|squeak\w*|whin(?:es?|ing)|knock(?:s|ing)?)\b/i,
    "blade, blade spindle, spindle bearing, bearing, pulley, blade bolt, muffler",
  ],
  [
    /\b(?:smok(?:es?|ing)|burns? oil|overheat\w*|runs? hot|too hot)\b/i,
    "piston ring, valve, oil seal, head gasket, air filter, breather tube, oil pump",
  ],
  [
    /\bblades?\b.*\b(?:won'?t|does(?:n'?t| not)|not|don'?t|stop\w*)\b.*\b(?:engage|turn|spin|rotate)\w*|\b(?:pto|clutch)\b.*\b(?:won'?t|does(?:n'?t| not)|not|slip\w*)\b/i,
    "electric clutch, clutch, deck belt, belt, idler pulley, idler spring, blade spindle",
  ],
  [
    /\b(?:won'?t|does(?:n'?t| not)|not) (?:move|drive|go|charge|stay|hold|close|open|engage|shut)\b/i,
    "drive belt, belt, idler spring, pulley, battery, regulator, spring",
  ],
];
export const SYMPTOMS: readonly Symptom[] = SYMPTOM_ROWS.map(([asked, parts]) => ({ asked, parts: parts.split(", ") }));
