import { fold } from "../../../mixins/fold.ts";
import { DEFAULT_SYNONYMS, parseSynonyms } from "../../../mixins/search-index/synonyms.ts";

/**
 * Words of other languages that are spoken at a parts counter: `English | German | Spanish | French`, several divided by
 * commas, `-` where English has none. What parts are called is search's data; here is what stands around them, and
 * words that are read otherwise in a question.
 */
const AROUND = `
which | welcher, welche, welches, welchen, welchem | cual, cuales, que | quel, quelle, quels, quelles, lequel, laquelle
what | was | qué es | que, quoi, qu est ce que
how | wie | como | comment
how much | wieviel | cuanto, cuanta | combien ca
how much costs | was kostet, was kosten, wie viel kostet, wieviel kostet, wie teuer, wie teuer ist, wie teuer sind | cuanto cuesta, cuanto cuestan, cuanto vale, cuanto valen, que precio tiene, a cuanto | combien coute, combien coutent, quel est le prix
how many | wie viele, wieviele, wie viel | cuantos, cuantas | combien, combien de
how often | wie oft, wann, in welchem intervall, alle wieviel stunden, nach wie vielen stunden | cada cuanto, cada cuantas, cada cuantas horas, cuando, con que frecuencia, cada cuanto tiempo | a quelle frequence, tous les combien, quand
how big | wie gross, wie groß, wie lang, wie breit | - | -
where | wo, wo finde ich | donde | ou se trouve, ou est
why | warum, wieso, weshalb, woran liegt das, woran liegt es, woran | por que | pourquoi
price | preis | precio | prix
costs | kostet, kosten, teuer | cuesta, cuestan, vale | coute, coutent
available | verfugbar, lieferbar, erhaltlich | disponible, disponibles | disponible, disponibles
in stock | auf lager, vorratig, am lager | en existencia, en existencias, en stock, en almacen | en stock
stock | bestand | existencias, almacen | -
do you have | haben sie, habt ihr, gibt es, fuhren sie, hast du | hay, venden | avez vous, vous avez, y a t il
page | seite | pagina | -
figure | abbildung, bild, zeichnung, schema | figura, dibujo, diagrama | figure, schema, dessin
item | position, pos | posicion | repere
fits | passt, passen, gehort | sirve, sirven, encaja, queda, va | va, convient, conviennent, compatible
replaces | ersetzt | reemplaza, sustituye, remplaza | remplace
replacement | ersatz, ersatz fur | reemplazo, sustituto | remplacement
successor | nachfolger | sucesor | successeur
cheapest | billigste, billigster, billigsten, gunstigste, gunstigster, gunstigsten, preiswerteste | mas barato, mas barata, mas economico, mas economica, barato, barata | moins cher, moins chere
total | insgesamt, zusammen, gesamt | en total, juntos | au total, ensemble
need | brauche, brauchen, braucht, benotige, benotigt, suche | necesito, necesita, busco, ocupo | faut, besoin, cherche, il me faut
have | habe, hat, haben | tiene, tienen, tengo | ai, a t il
want | mochte, will, hatte gern | quiero, quisiera | veux, voudrais
for | fur, zum, zur, bei, beim | para, por | pour
of | von, vom, des | de, del | de, du, des, d
the | die, der, das, den, dem | el, la, los, las, lo | le, la, les, l
a | ein, eine, einen, einer, einem | un, una | un, une
is | ist | es, esta | est
are | sind | son, estan | sont
and | und | y, e | et
or | oder | o, u | ou
my | mein, meine, meinen, meinem, meiner, meines | mi, mis | mon, ma, mes
your | ihr, ihre, euer | su, sus, tu | votre, vos
in | im | en | dans, en
on | auf, am, an | sobre | sur
at | - | al | au, aux
to | zu | a | a
with | mit | con | avec
without | ohne | sin | sans
i | ich | yo | je, j
me | mir, mich | me | me, moi
we | wir | nosotros | nous
it | es | - | il, elle, ca, cela
this | dieser, diese, dieses, diesen | este, esta pieza, esto, ese, esa, eso | ce, cet, cette
they | sie | - | ils
them | davon, sie alle | ellos | en faut il
also | auch | tambien | aussi
still | noch | todavia, aun | encore, toujours
1 | - | uno | -
2 | zwei | dos | deux
3 | drei | tres | trois
4 | vier | cuatro | quatre
5 | funf | cinco | cinq
6 | sechs | seis | -
please | bitte | por favor | s il vous plait, svp
number | nummer, teilenummer | numero, numero de parte, numero de pieza | numero, reference
part | teil, teile, ersatzteil, ersatzteile | repuesto, repuestos, pieza, piezas, refaccion, parte, partes | piece, pieces
not | nicht, kein, keine, keinen | no | pas
- | da, denn, mal, eigentlich, gerade, man, mussen, muss, soll, sollte, werden, wird, wurde, konnte, konnen, kann, habt, bin, dazu, daran, dort, hier, so, eben, etwa, sich, uns, ja, am besten, fuhrt, hinein, rein, sein, welch, gerne, dringend | se, debe, debo, deben, puede, puedo, hay que, ser, muy, ya, le, les, cada, aqui, favor, ustedes, usted, hola, buenas, buenos dias | il y a, faut il, doit, dois, peut, peux, y, ne, se, on, ete, tres, n, s, t, qu, est ce que, bonjour, j ai, ai je
look | schauen, sehen, nachsehen, zeigen, zeigt | revisar, ver, mostrar, muestra, muestre | voir, regarder, montre
find | finden | encuentro, encontrar, encuentra | trouver, trouve
takes | nimmt, fasst | lleva, llevan, cabe | prend
uses | benutzt, verwendet | usa, usan, utiliza | utilise
machine | maschine, gerat | maquina | machine
engine | motor | motor | moteur
mower | maher, rasenmaher | podadora, cortacesped | tondeuse
lawn | rasen | cesped | gazon
torque | drehmoment, anzugsmoment, anzugsdrehmoment, moment | par de apriete, par, torque, apriete | couple, couple de serrage
tightened | angezogen, anziehen, anzugs | apretar, apretado, aprietan, aprieta | serrer, serrage
interval | intervall, intervalle | intervalo, frecuencia | intervalle, frequence
hours | stunden, betriebsstunden | horas | heures
change | wechsel, wechseln, gewechselt, tauschen, austauschen | cambiar, cambia, cambio, cambiarse, cambian, reemplazar | changer, vidanger, remplacer, vidange
clean | reinigen, gereinigt, saubern | limpiar, limpia, limpian | nettoyer, nettoie
lubricate | schmieren, geschmiert, abschmieren | engrasar, lubricar, engrasan | graisser, lubrifier
size | große, grosse, maß, abmessung, abmessungen | tamano, medida, medidas | taille, dimension, dimensions
pressure | druck, luftdruck | presion | pression
speed | drehzahl, geschwindigkeit | velocidad, revoluciones | regime, vitesse
idle | leerlauf | ralenti | ralenti
idle speed | leerlaufdrehzahl | velocidad de ralenti, marcha minima | regime de ralenti
clearance | spiel, ventilspiel | holgura | jeu
valve clearance | ventilspiel | holgura de valvulas, holgura de las valvulas | jeu aux soupapes, jeu des soupapes
gap | abstand, elektrodenabstand, luftspalt, spalt | separacion, entrehierro, calibracion | ecartement, entrefer
capacity | fullmenge, fassungsvermogen, inhalt | capacidad | capacite, contenance
thread | gewinde | rosca | filetage
serial number | seriennummer, seriennummern | numero de serie, numeros de serie | numero de serie, numeros de serie
weight | gewicht, wiegt, schwer | peso, pesa | poids, pese
horsepower | ps, leistung | caballos, caballos de fuerza, potencia | chevaux, puissance
fins | rippen, kuhlrippen | aletas | ailettes
cooling | kuhlung | enfriamiento, refrigeracion | refroidissement
won't start | springt nicht an, startet nicht, geht nicht an, springt schlecht an, will nicht starten | no arranca, no prende, no enciende, no quiere arrancar, no da marcha, arranca mal | ne demarre pas, demarre pas, ne demarre plus, demarre mal
starts | springt, startet, starten, anspringen | arranca, arrancar, prende, enciende | demarre, demarrer
stalls | geht aus, stirbt ab, geht immer aus | se apaga, se cala, se para | cale, s arrete
runs rough | lauft unrund, lauft schlecht, ruckelt | funciona mal, falla, jalonea, tironea | tourne mal, broute
cuts uneven | maht ungleichmaßig, schneidet ungleichmaßig, maht schief, schneidet schief, maht unsauber, schneidet unsauber, ungleichmaßiges schnittbild | corta disparejo, corta desigual, corta mal, corta irregular, corte disparejo, corta chueco | coupe mal, coupe inegale, coupe irregulierement, coupe de travers, tond mal, coupe pas droit, coupe de maniere inegale
cuts | maht, schneidet | corta | tond
uneven | ungleichmaßig, schief, unsauber | disparejo, desigual, irregular | inegalement, inegale, irregulierement
leaks | leckt, undicht, tropft, verliert, lauft aus | pierde, gotea, fuga, tira, bota, derrama | fuit, perd, goutte, fuite
slips | rutscht, rutscht durch | patina, resbala | patine, glisse
comes off | springt ab, fallt ab, springt runter, rutscht ab, geht ab, lauft ab, springt herunter | se sale, se zafa, se suelta, se cae | saute, deraille, sort, tombe
breaks | reißt | se rompe, se revienta | casse
vibrates | vibriert | vibra, tiembla | vibre, tremble
noisy | laut, macht gerausche, klappert, quietscht | hace ruido, ruidoso, rechina | fait du bruit, bruyant, grince
smokes | raucht, qualmt | humea, echa humo, saca humo | fume
overheats | uberhitzt, wird heiß, wird zu heiß | se calienta, se sobrecalienta, recalienta | chauffe, surchauffe
won't charge | ladt nicht | no carga | ne charge pas
won't drive | fahrt nicht | no avanza, no camina, no anda, no se mueve | n avance pas, n avance plus
won't engage | kuppelt nicht ein | no engancha, no engrana | ne s enclenche pas
order | bestellung, auftrag | pedido, orden | commande
my orders | bestellungen | pedidos | commandes
buy | kaufen, bestellen | comprar, pedir | acheter, commander
cart | warenkorb, einkaufswagen | carrito, carro, cesta | panier
add | hinzufugen, lege, legen, leg, pack, packe | anadir, anade, anada, agregar, agrega, agregue, pon, ponga, poner, meter, mete | ajouter, ajoute, ajoutez, mets, mettez
cancel | stornieren, storniere | cancelar, cancele | annuler, annulez
return | zuruckgeben, zuruckschicken, retoure | devolver, devolucion | retourner, renvoyer, rembourser
invoice | rechnung | factura | facture
account | konto | cuenta | compte
shipment | lieferung, sendung, paket | envio, paquete | livraison, colis
deliver | liefern, liefert | enviar, entregar, entregan | livrer, livrez
manuals | handbucher, anleitungen | manuales | manuels, notices
manual | handbuch, anleitung | manual | manuel, notice
machines | maschinen, gerate | maquinas, equipos | -
know | kennen, kennt | conocen, conoce | connaissez
blade | messer, mahmesser, mahermesser, klinge | cuchilla, hoja, navaja | lame, couteau
blades | messern | - | -
air | luft | aire | air
oil | ol | aceite | huile
fuel | kraftstoff, benzin | combustible, gasolina | carburant, essence
filter | filter | - | -
deck | mahwerk, mahwerks, mahdeck | plataforma, cubierta de corte | coupe, plateau de coupe
belt | keilriemen, riemen | correa, banda | courroie
spindle | spindel | husillo, mandril | broche
shaft | welle | eje, flecha | arbre
tank | tank | tanque, deposito | reservoir
cap | deckel | tapa, tapon | bouchon
fuel cap | tankdeckel | tapon de gasolina, tapa del tanque | bouchon de reservoir
line | leitung | - | -
starter | starter | arranque, arrancador | demarreur
starter rope | startseil, zugseil | cuerda de arranque, cuerda del arranque | -
wheel | rad | - | -
dipstick | messstab, olmessstab | varilla de nivel, varilla de aceite | jauge
float | schwimmer | flotador | flotteur
float bowl | schwimmerkammer | cuba, taza del carburador | cuve
needle valve | nadelventil, schwimmernadelventil | valvula de aguja | pointeau
solenoid | magnetventil | - | -
cable | kabel, zug, seil | - | -
throttle | drossel, gas | acelerador | gaz
knob | knopf | - | -
set | satz | juego | jeu de
assembly | montage, komplett, baugruppe | ensamble, conjunto | ensemble complet
drive | antrieb, antriebs | transmision | entrainement
ring | ring | - | anneau
ball | kugel | - | -
pan | wanne | - | -
pin | bolzen, stift | pasador | goupille, axe
flywheel | schwungrad | volante | volant
steering wheel | lenkrad | volante de direccion | volant de direction
idler | spann | tensora | tendeur, tendeuse
box | - | caja | boite
gear | - | cambios, engranajes | vitesses
gearbox | getriebe | caja de engranajes, caja de cambios | boite de vitesses, transmission
coil | spule | bobina | bobine
ignition | zund, zundung | encendido | allumage
oil pan | olwanne | carter | carter d huile
drain | ablass | drenaje, vaciado | -
chute | - | deflector | goulotte
needle | nadel | aguja | -
seal | - | sello | joint spi
gasket | - | - | joint
cylinder head gasket | zylinderkopfdichtung | junta de culata | joint de culasse
housing | - | - | carter
bearing | lager | balero, rodamiento | roulement
bearings | lagern | - | -
screw | - | - | vis
piston ring | - | anillo de piston | segment
fuse | sicherung | - | fusible
key | passfeder | chaveta | -
spacer | distanz | - | -
grease fitting | schmiernippel | grasera, engrasador | graisseur
air cleaner | luftreiniger | depurador de aire | -
breather tube | entluftungsschlauch | tubo respiradero | reniflard
heat shield | hitzeschild, hitzeschutzblech | escudo termico | pare chaleur
spark arrester | funkenfanger | supresor de chispas | pare etincelles
hanger | aufhangung | colgador | -
kit | - | kit, juego de reparacion | -
main | haupt | principal | -
thrust washer | anlaufscheibe | arandela de empuje | -
choke | - | - | -
solenoid | - | - | -
shell | schale, wannengehause | carcasa | -
hinge pin | scharnierstift | pasador de bisagra | -
input | eingangs | entrada | entree
output | ausgangs | salida | sortie
hose clamp | schlauchklemme, schlauchschelle | abrazadera | collier
clamp | - | abrazadera | collier
front | vorne, vordere, vorderen, vorder | delantera, delanteras, delantero, delanteros | avant
rear | hinten, hintere, hinteren, hinter | trasera, traseras, trasero, traseros | arriere
left | links, linke, linken, linker, linkes | izquierda, izquierdo | gauche
right | rechts, rechte, rechten, rechter, rechtes | derecha, derecho | droite, droit`;

interface Language {
  /** By folded words, several with one blank between. */
  words: ReadonlyMap<string, string>;
  /** Endings of a plural. */
  plurals: readonly string[];
  /** French binds short words by an apostrophe. */
  hasElisions?: true;
  hasCompounds?: true;
}

const keyOf = (phrase: string): string => fold(phrase).replace(/[^\p{L}]+/gu, " ");

/** @param place of the language in the rows; a row's words win over search's */
function wordsOf(place: number, synonyms: readonly string[]): Map<string, string> {
  const words = new Map<string, string>();
  for (const { words: own, meanings } of synonyms.map(parseSynonyms))
    if (own !== meanings) for (const word of own) if (!words.has(keyOf(word))) words.set(keyOf(word), meanings[0]!);
  for (const row of AROUND.trim().split("\n")) {
    const cells = row.split("|").map((cell) => cell.trim());
    for (const word of (cells[place] ?? "").split(","))
      if (keyOf(word.trim()).trim() !== "") words.set(keyOf(word.trim()), cells[0] === "-" ? "" : cells[0]!);
  }
  return words;
}

const LANGUAGES: readonly Language[] = [
  { words: wordsOf(1, DEFAULT_SYNONYMS.de), plurals: ["en", "n", "e", "er", "s"], hasCompounds: true },
  { words: wordsOf(2, DEFAULT_SYNONYMS.es), plurals: ["es", "s"] },
  { words: wordsOf(3, DEFAULT_SYNONYMS.fr), plurals: ["s", "x"], hasElisions: true },
];
/** Words that English has too: they alone say nothing of a text's language. */
const ALSO_ENGLISH = new Set(
  [
    ..."couple escape lame montage halter carter piece pieces moment transmission segment support fusible filter filters tank tanks starter starters ring rings joints pots piston valve cable solenoid motor joint caja las los figure stock coupe essence was den der die am an des du de la a i l d un no o y air page son par pot vis il es el mi los hay usa man so me on en va tires tire tour hat will gas mal rein here bin ai les axe mis pack leg fume fuse casse tombe sort sale ps item main do to at in sin con us as".split(" "),
    ...[...AROUND.split("\n").map((row) => row.split("|")[0]!), ...LANGUAGES.flatMap(({ words }) => [...words.values()])].flatMap(
      (meaning) => meaning.trim().split(/[ -]+/),
    ),
    ...DEFAULT_SYNONYMS.en.flatMap((line) => line.split(/[^\p{L}]+/u)),
  ].map(fold),
);
/** Letters of scripts in which English is never written. */
const OTHER_SCRIPT = /(?:(?!\p{Script=Latin})\p{L}){2}/u;
const SHORTEST_OF_COMPOUND = 3;
const SHORTEST_OF_SEVERAL = 4;
/** A long word of a language, or two short ones, make a text one of its. */
const ENOUGH = 2;
const LONGEST_PHRASE = 6;
/** Words, of which those with a digit or beside one are of a number. */
const WORD = /[\p{L}\p{N}][\p{L}\p{N}./#-]*/gu;
const OF_A_THING = /([\p{L}_]+) of (?:(?:the|my) )?([\p{L}_]+)(?![\p{L}\d-])(?: of (?:the )?([\p{L}_]+)(?![\p{L}\d-]))?/gu;

export function isOtherScript(text: string): boolean {
  return OTHER_SCRIPT.test(text);
}

/** A question in English, word by word, if it is in one of these languages; otherwise as it is. */
export function inEnglish(text: string): string {
  const read = LANGUAGES.map((language) => translated(text, language));
  const best = read.reduce((first, each) => (each.score > first.score ? each : first));
  if (best.score < ENOUGH) return text;
  return (
    best.text
      // Of two things around an `of` the first is what the second is for.
      .replace(OF_A_THING, (_, thing: string, of: string, also = "") => [also, of, thing].filter(Boolean).join(" "))
      .replace(/[\s_]+/g, " ")
      .trim()
  );
}

function translated(text: string, language: Language): { text: string; score: number } {
  const plain = language.hasElisions ? text.replace(/\b([dlnqsj]|qu)['’](?=\p{L})/giu, "$1 ") : text;
  const words = [...plain.matchAll(WORD)].map(({ 0: word, index: from }): Spot => {
    const letters = word.replace(/[./#-]+$/, "");
    return { from, to: from + letters.length, key: /[\d-]/.test(letters) ? undefined : fold(letters) };
  });
  let english = "";
  let end = 0;
  let score = 0;
  for (let at = 0; at < words.length; ) {
    const found = longestAt(at, words, plain, language);
    const { from, to } = { from: words[at]!.from, to: words[at + (found?.count ?? 1) - 1]!.to };
    if (found) {
      english += plain.slice(end, from) + found.meaning.replaceAll(" ", "_");
      end = to;
      for (const { key = "" } of words.slice(at, at + found.count))
        if (!ALSO_ENGLISH.has(key)) score += key.length > 3 ? ENOUGH : 1;
    }
    at += found?.count ?? 1;
  }
  return { text: english + plain.slice(end), score };
}

interface Spot {
  from: number;
  to: number;
  /** Absent where it is of a number. */
  key: string | undefined;
}

/** The most words from one on that mean something together. */
function longestAt(
  at: number,
  words: readonly Spot[],
  text: string,
  language: Language,
): { count: number; meaning: string } | undefined {
  for (let count = Math.min(LONGEST_PHRASE, words.length - at); count >= 1; count -= 1) {
    const some = words.slice(at, at + count);
    const isTogether = some.every(
      ({ key, from }, place) => key !== undefined && (place === 0 || /^[\s'’-]$/.test(text.slice(some[place - 1]!.to, from))),
    );
    if (!isTogether) continue;
    const key = some.map((each) => each.key).join(" ");
    const meaning = count === 1 ? meaningOf(key, language) : language.words.get(key);
    if (meaning !== undefined) return { count, meaning };
  }
  return undefined;
}

function meaningOf(word: string, language: Language): string | undefined {
  const { words, plurals, hasCompounds } = language;
  const known = words.get(word);
  if (known !== undefined) return known;
  const ending = plurals.find((each) => word.length - each.length >= SHORTEST_OF_SEVERAL && word.endsWith(each) && words.get(word.slice(0, -each.length)));
  if (ending !== undefined) return `${words.get(word.slice(0, -ending.length))!}s`;
  if (!hasCompounds) return undefined;
  // Known words, with a letter between them or none.
  for (let cut = word.length - SHORTEST_OF_COMPOUND; cut >= 2; cut -= 1) {
    const start = word.slice(0, cut);
    const first = words.get(start) || words.get(start.replace(/(?:s|n|en)$/, ""));
    const rest = meaningOf(word.slice(cut), language);
    if (first && rest) return `${first} ${rest}`;
  }
  return undefined;
}
