/** Makers of machines: the name, then other names of the same. Data beside what manuals say of themselves. */
export const KNOWN_MAKERS = `
Honda, ホンダ | Kawasaki, カワサキ, 川崎重工 |
ABB | Acer | Acura | Aebi | AEG | AGCO | Agria | Al-Ko, AL-KO | Alfa Romeo | Alienware | Allen-Bradley | Amazone
| Ammann | Anet | Apple | Aprilia | Arctic Cat | Ariens | Ariston | Asus | Atlas Copco | Audi | Austin | Bafang
| Bambu Lab | Bauknecht | BCS | Beko | Belarus | Benelli | Bimota | Bizerba | BMW | Bobcat | Bomag | Bombardier
| Bosch, Robert Bosch | Bridgeport | Brose | Brother, ブラザー | BRP | BSA | Buick | Bultaco | Cadillac | Cagiva | Can-Am
| Canon, キヤノン | Carraro | Case IH | Caterpillar | CFMoto | Chevrolet | Chrysler | Citroën, Citroen | Claas | Colchester
| Compaq | Craftsman | Creality | Cub Cadet | Cummins | DAB | Dacia | DAF | Danfoss | Deckel | Dell | DeLonghi
| Derbi | Deutz, Deutz-Fahr | DeWalt, DEWALT | Ditch Witch | Dixon | DMG Mori | Dodge | Dolmar | Doosan | Ducati
| Dynapac | Dyson | Ebara | Eicher | Einhell | Electrolux | Emco | Epson, エプソン | Evinrude | Exmark | Fanuc | Farmtrac
| Fendt | Festool | Fiat | Fiatagri | Flygt | Flymo | Ford | Frymaster | Fujitsu | Gaggenau | Gardena | Gas Gas
| Generac | Gigabyte | GMC | Goldoni | Gorenje | Grasshopper | Gravely | Grillo | Grundfos | Gutbrod | Haas | Hako
| Hanomag | Harley-Davidson | Hatz | Heidelberg | Henny Penny | Hilti | Hirose | Hitachi, 日立 | Hobart | Hoover
| Horsch | HP, Hewlett-Packard, Hewlett Packard | Husaberg | Husqvarna | Hyster | Hyundai | Hürlimann | IBM
| Indesit | Infiniti | Ingersoll Rand | Iseki, イセキ, 井関農機 | Isuzu | Iveco | Jacobsen | Jaguar | Jawa | JCB | Jeep
| John Deere, Deere & Company, Deere | Jonsered | JUKI | Jungheinrich | Jura | Kalmar | Kia | Kioti | Kodak
| Komatsu, コマツ | Konica Minolta | Kress | Krones | KSB | KTM | Kubota, クボタ | Kuhn | KUKA | Kverneland | Kymco | Kyocera
| Kärcher, Karcher | Lada | Lamborghini | Lancia | Land Rover | Landini | Lanz | Lely | Lemken | Lenovo | Lexmark
| Lexus | LG | Liebherr | Lincoln Electric | Linde | Lindner | Lombardini | Loncin | Lowara | Mahindra | Maho
| Makita, マキタ | Manitou | Mariner | Maschio | Massey Ferguson | Mazak | Mazda, マツダ | McCormick | McCulloch
| Mercedes-Benz, Mercedes | Mercury | Merlo | Metabo | Miele | Miller Electric | Milwaukee | Mitsubishi, 三菱 | Moffett
| Mori Seiki | Morris | Moto Guzzi | MSI | MTD | Multivac | Murray | MV Agusta | Myford | MZ | NEC | Neff
| Netzsch | New Holland | Nikon | Nilfisk | Nissan, 日産 | Norton | Oki | Okuma | Oleo-Mac | Olympus | Omron | Opel
| Panasonic | Pasquali | Pedrollo | Pentax | Perkins | Peugeot | Philips | Piaggio | Pitco | Polaris | Pontiac
| Porsche | Poulan | Prusa | Puch | Pöttinger | Razer | Renault | Ricoh | Rieju | Rotax | Royal Enfield | Ryobi
| Saab | Sabo | Saeco | Samsung | Scag | Scania | Schneider Electric | Sea-Doo | Seepex | Sennebogen | Setra
| SEW-Eurodrive | Sherco | Shimano | Shindaiwa | Siemens | Simplicity | Simson | Ski-Doo | Skoda, Škoda | Snapper
| Sonalika | Sony | Steyr | Stiga | Stihl | Subaru | Sulzer | Suzuki, スズキ | Swisher | SYM | Takeuchi | Tata | Tecumseh
| Terex | Tesla | Tohatsu | Toro | Toshiba | Toyota, トヨタ | Traub | Triumph | Troy-Bilt | Ultimaker | Ural | Ursus
| Valtra | Vermeer | Vespa | Vicon | Volkswagen, VW | Volvo | Väderstad | Wacker Neuson | Weed Eater | Westwood
| Whirlpool | Wiedenmann | Wilo | Wolf-Garten | Xerox | Yale | Yamaha, ヤマハ | Yanmar, ヤンマー | Yard-Man | Yaskawa | Zanussi
| Zebra | Zetor | Zongshen | Zündapp
`
  .replaceAll("\n", " ")
  .split("|")
  .map((names) => names.split(",").map((name) => name.trim()));
