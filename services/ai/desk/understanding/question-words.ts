/** Words of questions that name no part. Folded and singular, as terms are. */
const ASKING = `
a about actually again all also am an and any anybody anyone anything are as ask at available availability back be been before belong big both brand buy by called can cannot cant cat
catalog catalogue check come comes cost could current currently day delivered delivery detail did direct do doc document does doing done dont each either else enough equipment every
exact exactly exist expensive figure diagram drawing schema section view find first fit fitment fits fitted for from full get getting give go goes going good got had hand has have having help hello hey hi him
hold holds holding how howmany i if im in information info instead into is it item its itself just kind know last latest least less let like link list listed located long look looking lot lowest machine make manual
many may me mean mention mentioned model month more most much mounted my name need needed needs new no not now number numbers of off ok on one online only or order ordering other our out own
owner page part parts people piece pieces place please pls possible price priced pricing product put quantity qty question really replaced replacement replaces replace require required right say see sell
send several shall she ship shipped shipping should show shown shows side sir so some somebody someone something soon sort specific specified still stock store such superseded supersede supersedes sure take takes
tell thank thanks that the their them then there therefore these they thing think this those to today together too total two under unit until up us use used uses using very want was way we week well were
what whats when where which who whose why will with without wonder work working would year yes yet you your correct whole fix fixed fixing repair broke broken
bent worn torn cracked snapped damaged leak leaks leaking missing lost rusty rusted stuck dull cheap cheaper cheapest best different various distinct altogether sum suit suits suitable compatible
component components everything attach attached attaches secure secures secured fasten fastens fastened contain contains appear appears keep keeps sit sits
same identical between compare compared comparing comparison difference differ differs than versus vs
`;
export const QUESTION_WORDS: ReadonlySet<string> = new Set(ASKING.trim().split(/\s+/));
