/** A participle or particle alone, which says nothing of what it names. */
export const BARE_WORD =
  /^(told|said|asked|kept|known|found|made|taken|meant|heard|given|seen|written|shown|named|begun|held|wanted|sent|read|due|own|others?|again|ahead|around|before|behind|beside|of|as|by|at|one|all|each|both|some|none|placed|changed|linked|cancelled|refunded|whole|standing|stranger|those|these|under|underWay|(of|by)[A-Z]\w*)$/;

/** The same as the name of a type. */
export const BARE_TYPE =
  /^(Told|Said|Asked|Kept|Known|Found|Made|Taken|Meant|Heard|Given|Seen|Written|Shown|Named|Begun|Held|Wanted|Sent|Read|Due|Own|Others?|Before|Behind|Placed|Changed|Linked|Cancelled|Refunded|Whole|Standing|Stranger|Those|These|UnderWay|Paid|Bought|Sold|Added|Removed|Moved|Done|Gone|Left|Lost|Opened|Closed|Stored|Loaded|Learned|Counted|Claimed|Received|Refused|Missed|Charged|Ordered|Bound|Drawn|Chosen|Understood|Noticed|(Of|By)[A-Z]\w*)$/;

/** What the name of a function begins with. A verb that is missing is added here. */
const VERBS = `
  abort accept acknowledge acquire activate adapt add adjust admit adopt advance aggregate align allow analyze
  announce answer append apply approve archive are as ask assemble assert assign attach attempt audit authenticate
  authorize await backup balance batch begin bind block boot branch break broadcast browse buffer build bump bury
  cache calculate call can cancel cap capitalize capture catch change charge check choose claim classify clean clear click clip
  clone close collapse collect combine commit compact compare compile complete compose compress compute confirm
  connect consume contain contains continue convert copy correct count cover crash create crop cut debounce decide
  declare decline decode decrypt deduplicate deepen defer define delay delete deliver deny deploy derive describe
  deserialize destroy detach detect determine diff disable discard disconnect discontinue dispatch dispute divide do does download
  drain draw drive drop dump embed emit empty enable encode encrypt end enforce enqueue ensure enter equals erase escalate
  escape estimate evaluate exchange exclude execute exit expand expect expire explain export express extend extract
  fail feed fetch fill filter find finish fit fits fix flatten flush focus fold follow forbid forget format forward
  freeze from gather generate get give go grant greet group grow guard guess halt handle has hash hear help hide
  highlight hold identify ignore implement import improve include includes increment index infer inform inherit init
  initialize inject inquire insert inspect install interpret introduce invalidate invite invoke is isolate issue
  iterate join judge jump keep kill label launch lay learn leave lift limit link list listen load localize locate lock
  log login look lookup loop lose lower make map mark mask match matches materialize may measure memoize mend merge
  migrate mint mirror mix modify monitor mount move multiply must name narrow needs negotiate normalize note notify observe
  obtain omit on open order overlap overlaps override pack pad page paint parse pass patch pause pay peek perform
  permit persist pick pin ping pipe place plan play poll pop populate post prefer prefix prepare present preserve
  press preview price print prioritize probe proceed process produce project promise promote prompt propagate propose
  protect prove provide proxy prune publish pull purge push put query queue quit quote race raise rank rate reach
  react read rearm rebase rebuild recall receive recheck reclaim recognize reconcile reconnect record recover redact
  redeem redirect redo reduce refer refetch refill refresh refund refuse register reindex reject relate relay release
  reload rely remember remind remove rename render renew reopen reorder repair repeat replace replay reply report
  request require reread rescue reserve reset resolve respond rest restart restore restrict resume retain retire
  retrieve retry return reuse reveal reverse revert review revive revoke rewrite roll rotate round route run sample
  sanitize save scale scan schedule score scroll seal search see seed seek seem select send separate serialize serve
  set settle setup shape share shift ship shorten should show shrink shuffle shut sign simplify skip slice snapshot
  solve sort spawn speak spend split spread stage stamp standardize start state stay steal step stop store straighten stream
  stringify strip submit subscribe substitute subtract suggest sum summarize supersede supply support supports suspect
  suspend swap sweep switch sync tag take talk tally tax tell terminate test throttle throw tie to toggle touch trace
  track transact transfer transform transition translate traverse treat trim truncate try turn type uncover underline
  understand undo unescape unify uninstall unlist unlock unmount unpack unregister unsubscribe unwrap update upgrade
  upload upsert use validate vary verify view visit wait wake walk want warm warn was watch weigh were with withdraw
  withhold work wrap write yield zoom`;
export const VERB = new RegExp(`^#?(${VERBS.trim().split(/\s+/).join("|")})(?=[A-Z_$\\d]|$)`);

/** Names that Moleculer, Node.js or another library gives. */
export const DICTATED =
  /^(created|started|starting|stopping|stopped|handler|localAction|remoteAction|next|final|main)$/;

/** Objects whose keys are names on the wire. */
export const WIRE_OBJECT = /^(actions|channels|events|tasks|routes|aliases)$/;
