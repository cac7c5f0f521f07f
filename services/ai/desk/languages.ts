import { fold } from "../../../mixins/fold.ts";

/**
 * Words of other languages that are spoken at a parts counter: `English | German | Spanish | French`. Folded: without
 * accents, in lower case. Words around a part.
 */
const AROUND = `
which | welcher welche welches welchen | cual cuales | quel quelle quels quelles
what | was | que |
how | wie || comment
where | wo | donde |
many | viele viel ||
price | kostet kosten preis teuer | cuesta cuestan precio vale | coute prix
available | verfugbar lieferbar | disponible | disponible
stock | vorratig | existencias almacen |
page | seite | pagina |
figure | abbildung bild | figura |
fits | passt passen gehort | sirve encaja | va convient
replaces | ersetzt | reemplaza sustituye | remplace
replacement | ersatz | reemplazo | remplacement
successor | nachfolger | sucesor |
torque | drehmoment moment | par | couple
need | brauche braucht benotige suche | necesito necesita | faut besoin
have | habe hat haben ||
for | fur zum zur | para | pour
the | den das dem der | el la los las | le la les l
a | ein eine einen | un una | un une
is | ist | es | est
are | sind | hay son | sont
and | und | y | et
or | oder | o | ou
my | mein meinen meine meinem | mi | mon ma
in | im | en | dans
on | auf || sur
i | ich || je
it | es || il
they | sie ||
them | davon ||
2 | zwei | dos | deux
3 | drei | tres | trois
4 | vier | cuatro | quatre
5 | funf | cinco | cinq
6 | sechs | seis |
please | bitte ||
number | teilenummer nummer | numero | numero
cheapest | billigste gunstigste | barato barata |
start | springt startet | arranca |
not | nicht ||
leaking | undicht leckt | fuga pierde | fuite
tightening | anzugs | apriete | serrage
how much || cuanto |
how many || cuanta cuantos cuantas | combien
takes || lleva |
uses || usa |
has || tiene |
with || con | avec
of | von vom | del de | des du de d`;

/** Words of parts, as one; in a plural's form they are several. A German compound is read by its words. */
const THINGS = `
bearing | lager | rodamiento cojinete | roulement
part | teil ersatzteil | repuesto pieza | piece
blade | messer mahmesser klinge | cuchilla hoja | lame couteau
air | luft | aire |
oil | ol | aceite | huile
fuel | kraftstoff benzin | combustible gasolina | carburant essence
filter | filter | filtro | filtre
belt | keilriemen riemen | correa banda | courroie
deck | mahwerk | plataforma | coupe
spark plug | zundkerze | bujia | bougie
muffler | auspuff schalldampfer | silenciador escape mofle | silencieux echappement
carburetor | vergaser | carburador | carburateur
gasket | dichtung | junta empaque | joint
bolt | schraube | tornillo perno | boulon
nut | mutter | tuerca | ecrou
washer | scheibe unterlegscheibe | arandela | rondelle
spring | feder | resorte muelle | ressort
spindle | spindel | husillo | broche
shaft | welle | eje | arbre
crankshaft | kurbelwelle | ciguenal | vilebrequin
camshaft | nockenwelle ||
piston | kolben ||
valve | ventil | valvula | soupape
pump | pumpe | bomba | pompe
tank | tank | tanque deposito | reservoir
cap | deckel | tapa | bouchon
fuel cap | tankdeckel ||
hose | schlauch | manguera | durite tuyau
line | leitung ||
starter motor | anlasser ||
starter | starter | arranque arrancador | demarreur
recoil starter | seilzugstarter || lanceur
starter rope | startseil ||
pulley | riemenscheibe | polea | poulie
idler pulley | spannrolle ||
clutch | kupplung | embrague | embrayage
gearbox | getriebe || transmission
wheel | rad | rueda | roue
tire | reifen | llanta neumatico | pneu
fuse | sicherung | fusible | fusible
battery | batterie | bateria | batterie
switch | schalter | interruptor | interrupteur
ignition coil | zundspule ||
flywheel | schwungrad | volante | volant
dipstick | messstab peilstab | varilla | jauge
drain plug | ablassschraube ||
cotter pin | splint ||
pin | bolzen stift | pasador | goupille
housing | gehause | carcasa | carter
bracket | halter halterung | soporte |
discharge chute | auswurf ||
float | schwimmer | flotador | flotteur
float bowl | schwimmerkammer ||
needle valve | nadelventil ||
solenoid | magnetventil | solenoide |
connecting rod | pleuel | biela | bielle
cylinder head | zylinderkopf | culata | culasse
oil seal | simmerring wellendichtring | reten |
cable | kabel ||
throttle lever | gashebel ||
throttle | drossel ||
cover | abdeckung | cubierta | couvercle
handle | griff || poignee
knob | knopf | perilla |
set | satz ||
assembly | montage ||
mower | maher | cortacesped | tondeuse
tractor | traktor || tracteur
drive | antrieb | transmision | entrainement
ring | ring | anillo | anneau
lawn | rasen ||
ball | kugel ||
pan | wanne ||
plug || tapon |
rope || cuerda | corde
idler || tensora | tendeur
box || caja | boite
gear || cambios | vitesses
coil || bobina | bobine
ignition || encendido | allumage
oil pan || carter | carter
drain || drenaje | vidange
chute || deflector |
needle || aguja | pointeau
seal || sello |
engine || motor | moteur
screw ||| vis
piston ring ||| segment`;

interface Language {
  around: ReadonlyMap<string, string>;
  things: ReadonlyMap<string, string>;
  /** Endings of a plural. */
  plurals: readonly string[];
  hasCompounds?: true;
}

/** @param place of the language in the rows */
function wordsOf(table: string, place: number): Map<string, string> {
  const rows = table.split("\n").map((row) => row.split("|").map((cell) => cell.trim()));
  return new Map(
    rows
      .flatMap((row) => (row[place] ?? "").split(" ").map((word) => [word, row[0]!.replaceAll(" ", "_")] as const))
      .filter(([word]) => word),
  );
}

const LANGUAGES: readonly Language[] = [
  { plurals: ["en", "n", "e", "er", "s"], hasCompounds: true as const },
  { plurals: ["es", "s"] },
  { plurals: ["s", "x"] },
].map((language, at) => ({ ...language, around: wordsOf(AROUND, at + 1), things: wordsOf(THINGS, at + 1) }));
/** Words that English has too: they alone say nothing of a text's language. */
const ALSO_ENGLISH = new Set(
  "couple escape lame montage halter carter piece pieces moment transmission segment support fusible coupe essence was filter filters tank tanks starter starters ring rings joints pots mal in den der das am des du de la a i l d un no o y air page figure stock piston valve cable solenoid motor par son pot joint vis il es el mi caja las los hay usa".split(
    " ",
  ),
);
/** Letters of scripts in which English is never written. */
const OTHER_SCRIPT = /(?:(?!\p{Script=Latin})\p{L}){2}/u;
const SHORTEST_OF_COMPOUND = 3;
/** Long words of a language, or twice as many short ones, that make a text one of its. */
const ENOUGH = 2;
const OF_A_THING = /([\p{L}_]+) of (?:the )?([\p{L}_]+)(?![\p{L}\d-])(?: of (?:the )?([\p{L}_]+)(?![\p{L}\d-]))?/gu;

export function isOtherScript(text: string): boolean {
  return OTHER_SCRIPT.test(text);
}

/** A question in English, word by word, if it is in one of these languages; otherwise as it is. */
export function inEnglish(text: string): string {
  const words = new Set(text.match(/\p{L}+/gu)?.map(fold));
  // A short word alone may be of any language.
  const scored = LANGUAGES.map((language) => {
    const own = [...words].filter((word) => !ALSO_ENGLISH.has(word) && translated(word, language) !== undefined);
    return { language, score: own.reduce((sum, word) => sum + (word.length > 3 ? ENOUGH : 1), 0) };
  });
  const { language, score } = scored.reduce((best, each) => (each.score > best.score ? each : best));
  if (score < ENOUGH) return text;
  return (
    text
      .replace(/\bauf lager\b/gi, "in stock")
      // `l'huile`, `d'huile`
      .replace(/\b([dl])['’](?=\p{L})/giu, "$1 ")
      // Letters beside digits are of a number.
      .replace(/(?<![\p{L}\d-])\p{L}+(?![\p{L}\d-])/gu, (word) => translated(fold(word), language) ?? word)
      // Of two things around an `of` the first is what the second is for.
      .replace(OF_A_THING, (_, thing: string, of: string, also = "") => [also, of, thing].filter(Boolean).join(" "))
      .replace(/[\s_]+/g, " ")
      .trim()
  );
}

function translated(word: string, language: Language): string | undefined {
  const { around, things, plurals, hasCompounds } = language;
  const known = around.get(word) ?? things.get(word);
  if (known !== undefined) return known;
  const ending = plurals.find((each) => word.endsWith(each) && things.has(word.slice(0, -each.length)));
  if (ending !== undefined) return `${things.get(word.slice(0, -ending.length))!}s`;
  if (!hasCompounds) return undefined;
  // Known words, with a letter between them or none.
  for (let cut = word.length - SHORTEST_OF_COMPOUND; cut >= 2; cut -= 1) {
    const start = word.slice(0, cut);
    const first = around.get(start) ?? things.get(start) ?? things.get(start.replace(/(?:s|n|en)$/, ""));
    const rest = translated(word.slice(cut), language);
    if (first && rest) return `${first} ${rest}`;
  }
  return undefined;
}
