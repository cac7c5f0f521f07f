/** Words of manuals, folded and in small letters: data of the rules that say which machine a manual is for. */

const splitWords = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter((word) => word !== ""));

/** What a manual calls itself. */
export const NAMES_A_MANUAL =
  /\b(?:(?:illustrated\s+)?parts?|spare\s*parts?|operat(?:or'?s?|ing|ion)|owner'?s?|service|repair|workshop|instructions?|user'?s?|shop|maintenance|dealer|technical|installation|assembly)(?:\/\w+'?s?)?(?:\s+(?:and|&)\s+\w+)?\s+(?:manual|list|catalog(?:ue)?|book(?:let)?|guide|breakdown|handbook|instructions?|information)\b|\bparts?\s+(?:identification|diagram)|\bbill of materials\b|\b(?:betriebs|bedienungs|gebrauchs|wartungs|montage|reparatur)anleitung|\b(?:ersatzteil|teile|stuck|wartungs|pruf)(?:listen?|katalog|plan)|\bfehlermeldungen\b|\bstorungs\w+|\b(?:werkstatt|service|reparatur)?handbuch\b|\b(?:manuel|notice|catalogue|livret|guide|liste)\s+(?:de|d'|des|du|technique|d)\s*\w*|\bpieces\s+(?:de\s+rechange|detachees)|\bmanual\s+(?:de|do|del|tecnico|da)\b|\bcatalogo\s+(?:de|di|dei)\b|\blista\s+de\s+(?:pecas|piezas|recambios|repuestos)|\bdespiece\b|\b(?:manuale|libretto|catalogo|elenco|lista)\s+(?:d'|di|dei|delle|ricambi|uso|istruzioni|officina)|\bistruzioni\s+per\b|\b(?:instruktions|anvandar|service|bruks|verkstads|agar)(?:bok|handbok|manual|anvisning)|\bbruksanvisning|\breservdel(?:slista|skatalog|ar)?|\b(?:onderdelen|gebruiks|gebruikers|werkplaats)\w*(?:lijst|boek|catalogus|handleiding|aanwijzing)|\bhandleiding\b|パーツ(?:カタログ|リスト)|部品(?:表|カタログ|リスト)|取扱説明書|整備(?:解説|要領)書|サービスマニュアル|使用说明书|零件(?:目录|手册)|維修手冊|维修手册|каталог\s+(?:запасных|деталей)|руководство\s+по/iu;

/** In front of a model, in any language; behind `type` and `series` the value must look like one. */
export const MODEL_LABEL =
  /(?:\b(?:models?|modell[eoi]?|modell-?bezeichnung|modeles?|modelos?|malli|mod\.|bauart)(?![\p{L}])|\b(?:types?|typ|tipo|typen|baureihe|series|s[ée]ries?|maschinen?typ|machine|product name|produkt|produit|produto|producto|prodotto)(?=\s*(?:[:#.]|n[or°º]))|(?:型式|機種名?|モデル名?|型号|型號|機型|机型)|\b(?:модель|тип)(?![\p{L}]))/iu;
/** Behind the label: `No.`, `number(s)`, `Nr.`, `n°`. */
export const LABEL_REST =
  /^(?:[’']?s)?(?:\s*(?:no[’']?s?|nos|numbers?|numeros?|nummern?|nrs?|n[°º]|names?|bezeichnung|series|code)(?![\p{L}\d])[’']?s?\.?(?:[’']?s)?)?(?:\(s\))?\s*[:：.#=-]*\s*/iu;

/** Not behind these, the short ones as words of their own: their numbers are no models. */
export const NUMBER_LABEL =
  /(?:(?<!\p{L})(?:form|part|pn|art(?:icle|ikel)?|no|nos|ver|v|pos|sn|din|en|iec|step|ano|c|ip)|formular|manual|publication|publ|p\/n|nr|n°|nº|number|nummer|numero|rev(?:ision)?|version|fig(?:ure)?|abb(?:ildung)?|figura|bild|page|pagina|seite|sida|section|abschnitt|sektion|ref|item|serial|s\/n|sae|iso|order|bestell-?nr|document|doc|dok(?:ument)?|technical note|note technique|note|bulletin|edition|ausgabe|issue|code|phase|chapter|kapitel|chapitre|capitulo|capitolo|table|tabelle|tableau|tabela|tabella|tabla|schritt|vol(?:ume)?|teil|year|jahr|annee|tel|fax|phone|copyright|windows|bluetooth|usb|p\.?o\.? box|suite|type)\s*[-.:#°º]*\s*$/iu;

/** Behind a revision stand a document's other marks: `Parts list - Rev 4   ABCD1234`. */
export const REVISION =
  /\p{L}[^\p{L}]*(?<!\p{L})(?:rev(?:ision|isión|isão|isione)?|version|versión|versão|ausgabe|edition)\.?\s*\d/iu;

/** Words of titles that name no machine by themselves. */
export const GENERIC = splitWords(`
  a an the and or for of to with in on from by und oder fur der die das des den dem ein eine mit von zu im am et ou pour de du des la le les un une
  avec sur au aux y o para con del los las el e do da dos das em no na com per di dei delle della il lo gli i och eller med av till en het van voor met
  this your our all new only see use
  owner owners operator operators operating operation operations service repair workshop instruction instructions user users shop maintenance dealer technical
  illustrated spare part parts manual manuals list lists catalog catalogue book booklet guide breakdown handbook diagram diagrams reference quick start
  safety installation assembly setup information general introduction contents content table index foreword preface warranty specification specifications
  publication publ form document doc bulletin edition version revision issue date printed copyright rights reserved page chapter section figure figura abbildung bild tabelle tabela tabella tabla tableau tabell kapitel chapitre capitulo capitolo kapitlet abschnitt phase part teil partie step schritt etape group gruppe figure fig note notes notice technique english german french
  spanish italian portuguese swedish dutch japanese language original translation replacement replacements modification modifications bill materials bom
  component design insert components componente componentes composant composants bauteile illustration illustrations drawing drawings exploded view views item items position pos
  quantity qty menge einheit unit units price designation reference ref number remarks lista list sheet blatt sheets
  serial applicable starting year engine frame chassis suffix prefix color colour selection select all each other both following these those
  model models type types series serie no nr number numbers product products description name code size standard
  january february march april may june july august september october november december januar februar marz mai juni juli oktober dezember
  janvier fevrier mars avril juin juillet aout septembre octobre novembre decembre enero febrero marzo abril mayo junio julio agosto septiembre octubre
  noviembre diciembre janeiro fevereiro maio junho julho setembro outubro novembro dezembro
  anleitung betriebsanleitung bedienungsanleitung gebrauchsanleitung gebrauchsanweisung ersatzteilliste ersatzteilkatalog ersatzteile teileliste stuckliste materialliste handbuch werkstatthandbuch
  reparaturhandbuch wartung wartungsanleitung montageanleitung inhaltsverzeichnis inhalt kapitel abschnitt seite ausgabe fehlermeldungen technische daten
  manuel notice catalogue pieces rechange detachees atelier reparation entretien utilisation emploi liste sommaire
  catalogo piezas recambios repuestos despiece taller usuario propietario instrucciones servicio lista manutencao pecas reposicao oficina usuario tecnico
  manuale officina ricambi uso istruzioni libretto elenco parti manutenzione
  instruktionsbok bruksanvisning reservdelslista reservdelskatalog reservdelar verkstadshandbok handbok anvandarhandbok service onderdelen onderdelenlijst handleiding
  machine machines maschine maschinen engine engines motor motors moteur motore notebook laptop computer pc desktop tablet printer drucker imprimante impresora impressora stampante
  tractor tractors traktor tracteur trattore trator mower mowers lawn rasenmaher tondeuse chainsaw chain saw motorsage kettensage tronconneuse motosega motosierra motorsag
  pump pumps pumpe pompe pompa bomba bombas outboard generator generatore generador alternator alternators alternateur
  alternateurs alternador compressor kompressor motorcycle motorrad moto motocicleta scooter bike bicycle ebike e-bike
  car vehicle fahrzeug
  voiture auto truck loader excavator bagger digger tiller grapple rotary finishing finish rear front heavy duty mounted drive unit system mill milling lathe cnc drill
  press machine fill tool tools power electric electronic hydraulic diesel petrol gasoline benzin professional industrial compact utility
  caution warning danger important attention achtung warnung gefahr avertissement atencion atencao attenzione varning obs read rules
  inc ltd co corp corporation company gmbh ag kg sa srl spa llc limited
  water eau wasser agua acqua vatten woda вода tabelle1 sheet1 feuille1 hoja1
  копировал формат лист листов изм подп дата разраб пров утв масса масштаб лит инв взам дубл справ перв примен перечень элементов спецификация
  final copy scan ocr draft full web print color rev ver release english eng
  kit kits set unit units assembly group body system box door black white red blue left right upper lower
`);

/** Behind the name of a company. */
export const COMPANY_FORM = String.raw`(?:Inc(?:orporated)?|Ltd|Limited|LLC|L\.L\.C|Corp(?:oration)?|Co(?:mpany)?|GmbH|G\.m\.b\.H|AG|KG|SE|SAS?|S\.A(?:\.S)?|S\.?p\.?A|S\.?r\.?l|Ltda|srl|spa|s\.p\.a|s\.r\.l|S\/A|Lda|AB|A\/S|AS|ApS|Oy|B\.?V|N\.?V|PLC|Pty|K\.?K|L\.P|株式会社)`;
/** Of the names of those who run machines, and seldom make any. */
export const OPERATOR =
  /eisenbahn|\bbahn(?:en)?\b|railways?\b|\brailroads?\b|chemins? de fer|ferrocarril|ferrovi|\bverkehrs|stadtwerke|airlines?\b|universit|hochschule|\bcollege\b|\bschool\b/iu;
/** Of a company's name, words that people leave out. */
export const COMPANY_WORDS = splitWords(`
  motor motors company co corporation corp inc incorporated ltd limited llc gmbh ag kg se sa sas spa srl ltda lda ab as oy bv nv plc pty kk lp group holding holdings industries industry industrial
  international manufacturing mfg products equipment works werke europe america usa north deutschland france italia japan china sales service services development engineering technology technologies
  worldwide automobile automobiles automoveis automoviles research division motori commercial consumer heavy implements research electric
  power tools tool machinery machines maschinen maschinenfabrik ind e com & and the of
`);
