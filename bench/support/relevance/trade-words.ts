/** What people in the trade call parts, written down from the trade's use and not from any engine's list. */
export const SYNONYMS: readonly (readonly [query: string, ...nouns: string[]])[] = [
  ["carb", "Carburetor"], ["carburettor", "Carburetor"], ["carb rebuild kit", "Carburetor Repair Kit"], ["air cleaner", "Air Filter"],
  ["gas filter", "Fuel Filter"], ["petrol filter", "Fuel Filter"], ["gas pump", "Fuel Pump"], ["gas cap", "Fuel Tank Cap"],
  ["sparkplug", "Spark Plug"], ["ignition module", "Ignition Coil"], ["armature", "Ignition Coil"], ["fly wheel", "Flywheel"],
  ["electric starter", "Starter Motor"], ["starting motor", "Starter Motor"], ["pull starter", "Recoil Starter"], ["rewind starter", "Recoil Starter"],
  ["rectifier", "Voltage Regulator"], ["cylinder head gasket", "Head Gasket"], ["gasket kit", "Engine Gasket Set"], ["shaft seal", "Oil Seal"],
  ["piston rings", "Piston Ring Set"], ["conrod", "Connecting Rod"], ["con rod", "Connecting Rod"], ["crank shaft", "Crankshaft"], ["cam shaft", "Camshaft"],
  ["silencer", "Muffler"], ["exhaust", "Muffler"], ["accelerator cable", "Throttle Cable"], ["lawnmower blade", "Mower Blade"],
  ["mandrel", "Blade Spindle Assembly"], ["v-belt", "Drive Belt", "Deck Belt"], ["gauge wheel", "Deck Wheel"], ["anti-scalp wheel", "Deck Wheel"],
  ["pto clutch", "Electric Clutch"], ["gear box", "Gearbox"], ["hydraulic cylinder", "Lift Cylinder"], ["hydraulic ram", "Lift Cylinder"],
  ["hyd filter", "Hydraulic Filter"], ["coolant hose", "Radiator Hose"], ["work lamp", "Work Light"], ["driveshaft", "PTO Shaft"],
  ["drive line", "PTO Shaft"], ["u-joint", "Universal Joint Kit"], ["baler tine", "Pickup Tine"], ["pickup tooth", "Pickup Tine"], ["knife section", "Sickle Section"],
  ["flow sensor", "Flow Meter"], ["spray tip", "Spray Nozzle"], ["pressure transducer", "Pressure Sensor"],
  ["carb kit", "Carburetor Repair Kit"], ["brake disk", "Brake Disc"], ["regulator rectifier", "Voltage Regulator"], ["pto driveshaft", "PTO Shaft"],
];

/** Things that no dealer of equipment parts sells. */
export const OTHER_TRADES: readonly string[] = [
  "saxophone", "toothbrush", "mattress", "umbrella", "trampoline", "aquarium", "shampoo", "lipstick", "backpack", "microwave",
  "wedding dress", "laptop charger", "guitar strings", "coffee machine", "running shoes", "baby stroller", "garden gnome", "office chair",
  "birthday cake", "tennis racket", "zxqvbn", "qwrtzpl", "xkcdvwq", "bloopfnark", "vvrmqt gllpx",
];
