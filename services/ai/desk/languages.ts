import { fold } from "../../../mixins/fold.ts";

/**
 * Words of other languages that are spoken at a parts counter, as English ones: `word=words`. Folded: without accents, in
 * lower case. A compound is read by its words (`Vergaserdichtung`); of two words around a `~` the first is what the
 * second is for (`filtro de aceite`). A word alone is said around a part, and says nothing of it.
 */
const GERMAN = `
welcher=which welche=which welches=which welchen=which was=what wie=how wo=where viele=many viel=much kostet=price kosten=price preis=price teuer=price lager=stock verfugbar=available
lieferbar=available vorratig=stock seite=page abbildung=figure bild=figure passt=fits passen=fits ersetzt=replaces ersatz=replacement nachfolger=successor drehmoment=torque anzugsmoment=torque
brauche=need benotige=need gibt habe=have fur=for zum=for zur=for den=the das=the dem=the der=the ein=a eine=a einen=a ist=is sind=are und=and oder=or mein=my meinen=my meine=my meinem=my
von=of vom=of im=in auf=on ich=i es=it sie=they davon=them zwei=2 drei=3 vier=4 funf=5 sechs=6 bitte=please teil=part teilenummer=number nummer=number ersatzteil=part ersatzteile=parts
billigste=cheapest gunstigste=cheapest mal
messer=blade mahmesser=blade klinge=blade luft=air ol=oil kraftstoff=fuel benzin=fuel filter=filter keilriemen=belt riemen=belt antriebsriemen=drive~belt mahwerk=deck zundkerze=spark~plug
zundkerzen=spark~plug auspuff=muffler schalldampfer=muffler vergaser=carburetor dichtung=gasket dichtungen=gasket dichtungssatz=gasket~set schraube=bolt schrauben=bolts mutter=nut muttern=nuts
scheibe=washer scheiben=washers unterlegscheibe=washer feder=spring lager=bearing kugellager=bearing spindel=spindle welle=shaft kurbelwelle=crankshaft nockenwelle=camshaft kolben=piston
kolbenring=piston~ring ventil=valve ventile=valves pumpe=pump tank=tank deckel=cap tankdeckel=fuel~cap schlauch=hose leitung=line anlasser=starter~motor starter=starter seilzugstarter=recoil~starter
startseil=starter~rope riemenscheibe=pulley spannrolle=idler~pulley kupplung=clutch getriebe=gearbox rad=wheel rader=wheels reifen=tire sicherung=fuse batterie=battery schalter=switch
zundspule=ignition~coil schwungrad=flywheel messstab=dipstick peilstab=dipstick olwanne=oil~pan ablassschraube=drain~plug splint=cotter~pin bolzen=pin stift=pin gehause=housing halter=bracket
halterung=bracket auswurf=discharge~chute schwimmer=float schwimmerkammer=float~bowl nadelventil=needle~valve magnetventil=solenoid pleuel=connecting~rod zylinderkopf=cylinder~head simmerring=oil~seal
wellendichtring=oil~seal kabel=cable gashebel=throttle~lever drossel=throttle abdeckung=cover griff=handle knopf=knob satz=set montage=assembly rasentraktor=tractor rasenmaher=mower maher=mower traktor=tractor
ole=oil anlaufen springt=start startet=start nicht=not luftet undicht=leaking leckt=leaking`;
const SPANISH = `
que=what cual=which cuales=which cuanto=how_much cuanta=how_many cuantos=how_many cuantas=how_many cuesta=price cuestan=price precio=price vale=price donde=where pagina=page figura=figure disponible=available
existencias=stock almacen=stock lleva=takes usa=uses necesito=need necesita=need tiene=has hay=are sirve=fits encaja=fits reemplaza=replaces sustituye=replaces repuesto=part pieza=part piezas=parts numero=number
par=torque apriete=tightening para=for el=the la=the los=the las=the un=a una=a mi=my es=is son=are y=and o=or en=in con=with del=~ de=~ dos=2 tres=3 cuatro=4 cinco=5 seis=6 favor por barato=cheapest barata=cheapest mas
cuchilla=blade cuchillas=blades hoja=blade correa=belt correas=belts banda=belt transmision=drive plataforma=deck filtro=filter aceite=oil aire=air combustible=fuel gasolina=fuel bujia=spark_plug bujias=spark_plug
silenciador=muffler escape=muffler mofle=muffler carburador=carburetor junta=gasket empaque=gasket juntas=gasket tornillo=bolt tornillos=bolts perno=bolt pernos=bolts tuerca=nut tuercas=nuts arandela=washer
arandelas=washers resorte=spring muelle=spring rodamiento=bearing cojinete=bearing husillo=spindle eje=shaft ciguenal=crankshaft piston=piston anillo=ring valvula=valve valvulas=valves bomba=pump tanque=tank
deposito=tank tapa=cap tapon=plug manguera=hose arranque=starter arrancador=starter cuerda=rope polea=pulley tensora=idler embrague=clutch caja=box cambios=gear rueda=wheel llanta=tire neumatico=tire fusible=fuse
bateria=battery interruptor=switch bobina=coil encendido=ignition volante=flywheel varilla=dipstick carter=oil_pan drenaje=drain pasador=pin carcasa=housing soporte=bracket deflector=chute flotador=float aguja=needle
solenoide=solenoid biela=connecting_rod culata=cylinder_head reten=oil_seal sello=seal cable=cable tractor=tractor cortacesped=mower motor=engine arranca=start no fuga=leaking pierde=leaking`;
const FRENCH = `
quel=which quelle=which quels=which quelles=which combien=how_many coute=price prix=price stock=stock disponible=available page=page figure=figure faut=need besoin=need va=fits convient=fits remplace=replaces
couple=torque serrage=tightening pour=for le=the la=the les=the un=a une=a des=~ du=~ de=~ d=~ l=the mon=my ma=my est=is sont=are et=and ou=or sur=on dans=in avec=with il=it je=i deux=2 trois=3 quatre=4 piece=part
pieces=parts numero=number plait
lame=blade lames=blades couteau=blade courroie=belt courroies=belts entrainement=drive coupe=deck filtre=filter filtres=filter huile=oil air=air carburant=fuel essence=fuel bougie=spark_plug bougies=spark_plug
silencieux=muffler echappement=muffler pot=~ carburateur=carburetor joint=gasket joints=gasket vis=screw boulon=bolt boulons=bolts ecrou=nut ecrous=nuts rondelle=washer rondelles=washers ressort=spring
roulement=bearing arbre=shaft vilebrequin=crankshaft piston=piston segment=piston_ring soupape=valve pompe=pump reservoir=tank bouchon=cap durite=hose tuyau=hose demarreur=starter lanceur=recoil_starter
corde=rope poulie=pulley tendeur=idler embrayage=clutch boite=box vitesses=gear roue=wheel pneu=tire fusible=fuse batterie=battery interrupteur=switch bobine=coil allumage=ignition volant=flywheel jauge=dipstick
goupille=pin carter=oil_pan vidange=drain flotteur=float pointeau=needle bielle=connecting_rod culasse=cylinder_head cable=cable tracteur=tractor tondeuse=mower moteur=engine fuite=leaking`;

const LANGUAGES = [GERMAN, SPANISH, FRENCH].map(
  (words) =>
    new Map(
      words
        .trim()
        .split(/\s+/)
        .map((entry) => {
          const [word, english = ""] = entry.split("=") as [string, string?];
          return [word, english.length > 1 ? english.replace(/[_~]/g, " ") : english] as const;
        }),
    ),
);
/** Words that English has too: they alone say nothing of a text's language. */
const ALSO_ENGLISH = new Set(
  "was filter tank starter mal in den der das am des du de la a i l d un no o y air page figure stock piston valve cable solenoid motor par son segment pot joint vis il es el mi caja las los hay usa favor por mas".split(
    " ",
  ),
);
/** Letters of scripts in which English is never written. */
const OTHER_SCRIPT =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Devanagari}]{2}/u;
const SHORTEST_OF_COMPOUND = 3;
/** Long words of a language, or twice as many short ones, that make a text one of its. */
const ENOUGH = 2;

export function isOtherScript(text: string): boolean {
  return OTHER_SCRIPT.test(text);
}

/** A question in English, word by word, if it is in one of these languages; otherwise as it is. */
export function inEnglish(text: string): string {
  const words = text.match(/[\p{L}]+/gu)?.map(fold) ?? [];
  // A short word alone may be of any language.
  const scores = LANGUAGES.map((language) =>
    [...new Set(words)]
      .filter((word) => (language.has(word) && !ALSO_ENGLISH.has(word)) || ofCompound(word, language) !== undefined)
      .reduce((sum, word) => sum + (word.length > 3 ? ENOUGH : 1), 0),
  );
  const best = Math.max(...scores);
  if (best < ENOUGH) return text;
  const language = LANGUAGES[scores.indexOf(best)]!;
  // `l'huile`, `d'huile`
  const english = text.replace(/\b([dl])['’](?=\p{L})/giu, "$1 ").replace(/\p{L}+/gu, (word, at: number) => {
    const isOfNumber = /[\d-]/.test(text[at - 1] ?? "") || /[\d]/.test(text[at + word.length] ?? "");
    return isOfNumber ? word : (language.get(fold(word)) ?? ofCompound(fold(word), language) ?? word);
  });
  return english
    .replace(
      /(\p{L}+) ~ (?:the )?(\p{L}+)(?![\p{L}\d-])(?: ~ (?:the )?(\p{L}+)(?![\p{L}\d-]))?/gu,
      (_, thing: string, of: string, also = "") => [also, of, thing].filter((word) => word !== "").join(" "),
    )
    .replace(/~/g, "of")
    .replace(/\s+/g, " ")
    .trim();
}

/** A German compound of two or three known words, a letter between them or none. */
function ofCompound(word: string, language: ReadonlyMap<string, string>): string | undefined {
  if (language !== LANGUAGES[0]) return undefined;
  for (let cut = word.length - SHORTEST_OF_COMPOUND; cut >= 2; cut -= 1) {
    const first = language.get(word.slice(0, cut)) ?? language.get(word.slice(0, cut).replace(/(?:s|n|en)$/, ""));
    const rest = language.get(word.slice(cut)) ?? ofCompound(word.slice(cut), language);
    if (first && rest) return `${first} ${rest}`;
  }
  return undefined;
}
