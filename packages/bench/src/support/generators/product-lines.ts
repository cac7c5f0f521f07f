/** A kind of part: what it is called, where it is filed, what it costs (cents, lowest and highest), how it varies. */
export interface ProductLine {
  name: string;
  category: string;
  price: readonly [number, number];
  variants: readonly string[];
  use: string;
}

const line = (
  name: string,
  category: string,
  price: readonly [number, number],
  use: string,
  variants: readonly string[],
): ProductLine => ({
  name,
  category,
  price,
  use,
  variants,
});

export const ENGINE_LINES: readonly ProductLine[] = [
  line("Carburetor", "Carburetors", [4_500, 28_900], "Meters fuel and air", [
    "Assembly",
    "with Solenoid",
    "with Gasket",
    "Float Type",
    "Diaphragm Type",
  ]),
  line("Carburetor Repair Kit", "Carburetors", [900, 4_200], "Gaskets, needle, seat and float pin", [
    "Basic",
    "Complete",
    "with Float",
  ]),
  line("Air Filter", "Air Filters", [650, 4_900], "Keeps dust out of the intake", [
    "Flat Panel",
    "Cartridge",
    "Oval",
    "with Pre-Cleaner",
    "Heavy Duty Canister",
  ]),
  line("Air Filter Pre-Cleaner", "Air Filters", [350, 1_600], "Foam sleeve around the paper filter", [
    "Foam",
    "Oiled Foam",
  ]),
  line("Fuel Filter", "Fuel System", [350, 2_100], "Inline filter for petrol", [
    "75 Micron",
    "40 Micron",
    "150 Micron",
    "EFI 10 Micron",
  ]),
  line("Fuel Pump", "Fuel System", [1_800, 14_500], "Lifts fuel to the carburetor", [
    "Pulse",
    "Mechanical",
    "Electric 12V",
  ]),
  line("Fuel Tank Cap", "Fuel System", [600, 2_900], "Vented cap", ["Vented", "Ratcheting", "with Gauge"]),
  line("Spark Plug", "Ignition", [280, 1_350], "Resistor type", ["RC12YC", "RJ19LM", "BPR6ES", "XC92YC", "Platinum"]),
  line("Ignition Coil", "Ignition", [2_900, 12_900], "Solid state module", [
    "Single Cylinder",
    "Twin Left",
    "Twin Right",
  ]),
  line("Flywheel", "Ignition", [6_900, 32_000], "With magnets and ring gear", [
    "Cast Iron",
    "Aluminum",
    "10 A",
    "16 A",
  ]),
  line("Starter Motor", "Electrical", [7_900, 31_500], "12 volt electric starter", [
    "10 Tooth",
    "16 Tooth",
    "Solenoid Shift",
  ]),
  line("Recoil Starter", "Electrical", [3_200, 12_800], "Pull starter with rope and handle", [
    "Black",
    "Red",
    "with Cup",
  ]),
  line("Voltage Regulator", "Electrical", [2_400, 11_900], "Rectifies and limits charging current", [
    "10 A",
    "15 A",
    "20 A",
    "25 A",
  ]),
  line("Oil Filter", "Oil System", [750, 2_400], "Spin-on filter", ["Short", "Long", "High Efficiency"]),
  line("Oil Pump", "Oil System", [1_900, 9_800], "Gear pump driven by the camshaft", ["Gerotor", "Gear"]),
  line("Head Gasket", "Gaskets & Seals", [550, 3_900], "Between cylinder and head", [
    "Composite",
    "Steel",
    "Cylinder 1",
    "Cylinder 2",
  ]),
  line("Engine Gasket Set", "Gaskets & Seals", [1_900, 9_900], "Everything for an overhaul", [
    "Complete",
    "Upper",
    "Valve Overhaul",
  ]),
  line("Oil Seal", "Gaskets & Seals", [350, 2_200], "Radial shaft seal", ["PTO Side", "Magneto Side", "Governor"]),
  line("Piston Ring Set", "Internal Engine", [1_700, 7_900], "For one cylinder", [
    "Standard",
    ".010 Oversize",
    ".020 Oversize",
  ]),
  line("Piston Assembly", "Internal Engine", [3_900, 14_900], "With pin and clips", [
    "Standard",
    ".010 Oversize",
    ".020 Oversize",
  ]),
  line("Connecting Rod", "Internal Engine", [2_900, 11_500], "With bolts", ["Standard", ".020 Undersize"]),
  line("Crankshaft", "Internal Engine", [11_900, 48_000], "Balanced, ground", [
    "1 in x 3-5/32 in",
    "1-1/8 in x 4 in",
    "Tapered",
  ]),
  line("Camshaft", "Internal Engine", [4_900, 16_800], "With compression release", ["Steel Gear", "Composite Gear"]),
  line("Muffler", "Exhaust", [2_300, 16_900], "With heat shield", ["Round", "Side Outlet", "Low Tone"]),
  line("Throttle Cable", "Controls & Cables", [1_100, 4_600], "Conduit and wire", ["42 in", "54 in", "64 in"]),
  line("Governor Spring", "Controls & Cables", [250, 1_150], "Sets top speed", ["3600 RPM", "3060 RPM", "1800 RPM"]),
];

export const MOWER_LINES: readonly ProductLine[] = [
  line("Mower Blade", "Blades", [1_250, 5_400], "Cutting blade, heat treated", [
    "High Lift",
    "Mulching",
    "Low Lift",
    "Gator Type",
    "Fusion Edge",
  ]),
  line("Blade Spindle Assembly", "Deck Parts", [4_900, 22_500], "Housing, shaft and bearings", [
    "with Pulley",
    "Cast Iron",
    "Aluminum",
  ]),
  line("Drive Belt", "Belts", [1_400, 8_900], "Aramid cord V-belt", [
    "1/2 in x 68 in",
    "1/2 in x 83 in",
    "5/8 in x 97 in",
    "5/8 in x 134 in",
  ]),
  line("Deck Belt", "Belts", [1_900, 11_200], "Aramid cord V-belt", [
    "48 in Deck",
    "54 in Deck",
    "60 in Deck",
    "72 in Deck",
  ]),
  line("Idler Pulley", "Pulleys", [1_100, 6_200], "Sealed bearing", ["Flat 4 in", "Flat 5 in", "V 3-1/2 in", "V 6 in"]),
  line("Deck Wheel", "Deck Parts", [800, 3_900], "Anti-scalp roller", ["5 in", "6 in", "with Bolt"]),
  line("Electric Clutch", "Clutches", [16_500, 43_900], "PTO clutch with brake", [
    "1 in Bore",
    "1-1/8 in Bore",
    "200 ft-lb",
  ]),
  line("Gearbox", "Gearboxes", [24_900, 118_000], "Right-angle drive, filled at works", [
    "1:1.46",
    "1:1.93",
    "540 RPM",
    "1000 RPM",
  ]),
  line("Shear Bolt", "Hardware", [150, 890], "Breaks before the gearbox does", [
    "1/2 in Grade 2",
    "M10 x 60",
    "5 Pack",
  ]),
  line("Lift Cylinder", "Hydraulics", [13_900, 48_500], "Double acting", ["2 in x 8 in", "2-1/2 in x 10 in"]),
  line("Hydraulic Hose", "Hydraulics", [2_400, 12_900], "Two-wire braid, crimped ends", [
    "3/8 in x 36 in",
    "1/2 in x 48 in",
    "1/2 in x 72 in",
  ]),
  line("Discharge Chute", "Deck Parts", [2_800, 12_900], "Spring loaded", ["Plastic", "Rubber"]),
];

export const TRACTOR_LINES: readonly ProductLine[] = [
  line("Hydraulic Filter", "Hydraulics", [2_600, 13_900], "Spin-on return filter", [
    "10 Micron",
    "25 Micron",
    "High Flow",
  ]),
  line("Engine Oil Filter", "Filters", [1_200, 6_400], "Full flow", ["Primary", "By-Pass"]),
  line("Cab Air Filter", "Filters", [2_900, 11_900], "For the cab's fan", ["Paper", "Activated Carbon"]),
  line("Radiator Hose", "Cooling", [1_500, 8_600], "Molded", ["Upper", "Lower"]),
  line("Water Pump", "Cooling", [8_900, 42_000], "With gasket", ["4 Cylinder", "6 Cylinder"]),
  line("Alternator", "Electrical", [17_900, 64_000], "12 volt", ["65 A", "95 A", "120 A", "200 A"]),
  line("Work Light", "Lighting", [2_400, 16_900], "LED flood beam", ["1800 lm", "2600 lm", "Halogen"]),
  line("Seat Switch", "Electrical", [1_400, 6_500], "Operator presence", ["Normally Open", "Normally Closed"]),
  line("PTO Shaft", "Drivelines", [18_900, 69_000], "With guard", ["Series 4", "Series 6", "Slip Clutch"]),
  line("Universal Joint Kit", "Drivelines", [1_900, 9_400], "Cross and bearings", [
    "Series 4",
    "Series 6",
    "Series 35",
  ]),
  line("Wheel Bearing", "Bearings", [1_800, 12_900], "Tapered roller", ["Inner", "Outer", "Cone", "Cup"]),
  line("Knotter Bill Hook", "Hay Tools", [6_900, 19_900], "Hardened", ["Left", "Right"]),
  line("Pickup Tine", "Hay Tools", [350, 1_900], "Spring steel", ["Double", "Single"]),
  line("Sickle Section", "Hay Tools", [290, 1_150], "Chromed", ["Top Serrated", "Under Serrated"]),
  line("Brake Disc", "Brakes", [5_900, 24_800], "Wet disc", ["Friction", "Steel"]),
];

export const SPRAYER_LINES: readonly ProductLine[] = [
  line("Flow Meter", "Precision Ag", [28_900, 94_000], "Turbine type", ["RFM 55", "RFM 60P", "RFM 100"]),
  line("Boom Valve", "Sprayer Parts", [11_900, 48_000], "12 volt ball valve", ["1 in", "1-1/2 in", "2 in"]),
  line("Spray Nozzle", "Sprayer Parts", [320, 2_400], "Air induction flat fan", [
    "Yellow 02",
    "Blue 03",
    "Red 04",
    "Brown 05",
  ]),
  line("Pressure Sensor", "Precision Ag", [9_800, 31_500], "0.5 to 4.5 V", ["100 PSI", "250 PSI"]),
  line("Console Cable", "Precision Ag", [7_900, 42_000], "Molded connectors", ["6 ft", "12 ft", "24 ft"]),
];
