/** What the figures of a manual show. `line` is the kind of catalog part that it is, where the catalog has one. */
export interface NamedPart {
  name: string;
  line?: string;
  /** Fewest and most that the equipment has. */
  quantity: readonly [number, number];
}

export interface FigureGroup {
  title: string;
  parts: readonly NamedPart[];
}

const one = (name: string): NamedPart => ({ name, quantity: [1, 1] });
const some = (name: string, from: number, to: number): NamedPart => ({ name, quantity: [from, to] });
const sold = (line: string, from = 1, to = from, name = line): NamedPart => ({ name, line, quantity: [from, to] });

export const FIGURE_GROUPS: Readonly<
  Record<"engine" | "mower" | "tractor" | "sprayer" | "any", readonly FigureGroup[]>
> = {
  engine: [
    {
      title: "Carburetor",
      parts: [
        sold("Carburetor"),
        sold("Carburetor Repair Kit"),
        one("Carburetor Gasket"),
        one("Float Bowl"),
        one("Bowl Nut"),
        one("Needle Valve"),
        one("Float Pin"),
        one("Choke Shaft"),
        one("Throttle Plate"),
        some("Throttle Screw", 2, 3),
        one("Idle Mixture Screw"),
        one("Fuel Solenoid"),
      ],
    },
    {
      title: "Air Cleaner",
      parts: [
        sold("Air Filter"),
        sold("Air Filter Pre-Cleaner"),
        one("Air Cleaner Cover"),
        some("Cover Knob", 1, 2),
        one("Air Cleaner Base"),
        one("Breather Tube"),
        some("Base Screw", 2, 4),
      ],
    },
    {
      title: "Fuel Tank and Lines",
      parts: [
        sold("Fuel Filter"),
        sold("Fuel Pump"),
        sold("Fuel Tank Cap"),
        one("Fuel Tank"),
        some("Fuel Line", 1, 3),
        some("Hose Clamp", 4, 8),
        one("Shut-Off Valve"),
        one("Tank Grommet"),
      ],
    },
    {
      title: "Ignition",
      parts: [
        sold("Spark Plug", 1, 2),
        sold("Ignition Coil", 1, 2),
        sold("Flywheel"),
        one("Flywheel Key"),
        one("Flywheel Nut"),
        one("Kill Switch"),
        some("Coil Screw", 2, 4),
        one("Fan Blade Retainer"),
      ],
    },
    {
      title: "Starter",
      parts: [
        sold("Starter Motor"),
        sold("Recoil Starter"),
        one("Starter Solenoid"),
        one("Starter Rope"),
        one("Rope Handle"),
        one("Starter Drive Gear"),
        some("Starter Bolt", 2, 3),
        one("Ratchet Pawl"),
      ],
    },
    {
      title: "Lubrication",
      parts: [
        sold("Oil Filter"),
        sold("Oil Pump"),
        sold("Oil Seal", 2),
        one("Dipstick"),
        one("Drain Plug"),
        one("Oil Pan"),
        one("Oil Pan Gasket"),
        some("Pan Bolt", 6, 12),
        one("Oil Pressure Switch"),
      ],
    },
    {
      title: "Cylinder and Piston",
      parts: [
        sold("Head Gasket", 1, 2),
        sold("Engine Gasket Set"),
        sold("Piston Ring Set", 1, 2),
        sold("Piston Assembly", 1, 2),
        sold("Connecting Rod", 1, 2),
        some("Piston Pin", 1, 2),
        some("Intake Valve", 1, 2),
        some("Exhaust Valve", 1, 2),
        some("Valve Spring", 2, 4),
        some("Head Bolt", 4, 10),
      ],
    },
    {
      title: "Crankshaft and Camshaft",
      parts: [
        sold("Crankshaft"),
        sold("Camshaft"),
        one("Crankshaft Key"),
        some("Main Bearing", 1, 2),
        one("Thrust Washer"),
        some("Valve Tappet", 2, 4),
        one("Governor Gear"),
      ],
    },
    {
      title: "Exhaust",
      parts: [
        sold("Muffler"),
        some("Muffler Gasket", 1, 2),
        one("Heat Shield"),
        some("Exhaust Stud", 2, 4),
        some("Muffler Bracket", 1, 2),
        one("Spark Arrester"),
      ],
    },
    {
      title: "Controls",
      parts: [
        sold("Throttle Cable"),
        sold("Governor Spring"),
        one("Governor Lever"),
        one("Control Bracket"),
        one("Choke Cable"),
        one("Idle Spring"),
        some("Cable Clip", 2, 4),
        one("Voltage Regulator Bracket"),
        sold("Voltage Regulator"),
      ],
    },
  ],
  mower: [
    {
      title: "Mower Deck",
      parts: [
        sold("Mower Blade", 2, 3),
        sold("Shear Bolt", 2, 6, "Blade Bolt"),
        some("Blade Washer", 2, 3),
        sold("Deck Belt"),
        some("Deck Hanger", 2, 4),
        sold("Discharge Chute"),
        one("Chute Hinge Pin"),
        one("Chute Spring"),
        one("Deck Shell"),
        some("Belt Cover", 1, 2),
      ],
    },
    {
      title: "Blade Spindle",
      parts: [
        sold("Blade Spindle Assembly", 2, 3),
        some("Spindle Bearing", 4, 6),
        some("Spindle Shaft", 2, 3),
        some("Spindle Housing", 2, 3),
        some("Spindle Pulley", 2, 3),
        some("Spindle Nut", 2, 3),
        some("Grease Fitting", 2, 6),
        some("Bearing Spacer", 2, 3),
      ],
    },
    {
      title: "Belt Drive",
      parts: [
        sold("Drive Belt"),
        sold("Idler Pulley", 1, 3),
        sold("Electric Clutch"),
        one("Idler Arm"),
        one("Idler Spring"),
        one("Belt Guide"),
        one("Clutch Bolt"),
        one("Engine Pulley"),
        some("Belt Keeper", 2, 5),
      ],
    },
    {
      title: "Gauge Wheels",
      parts: [
        sold("Deck Wheel", 2, 4),
        some("Wheel Axle Bolt", 2, 4),
        some("Wheel Bushing", 4, 8),
        some("Wheel Bracket", 2, 4),
        some("Hair Pin", 2, 4),
      ],
    },
    {
      title: "Gearbox",
      parts: [
        sold("Gearbox"),
        one("Input Shaft"),
        one("Output Shaft"),
        some("Gearbox Seal", 2, 3),
        one("Vent Plug"),
        one("Gearbox Cover"),
        some("Cover Gasket", 1, 2),
      ],
    },
    {
      title: "Deck Lift",
      parts: [
        sold("Lift Cylinder"),
        sold("Hydraulic Hose", 2, 4),
        some("Lift Arm", 2, 2),
        some("Lift Link", 2, 4),
        some("Cylinder Pin", 2, 2),
        one("Lift Handle"),
        some("Hose Fitting", 2, 6),
      ],
    },
  ],
  tractor: [
    {
      title: "Hydraulic System",
      parts: [
        sold("Hydraulic Filter", 1, 2),
        one("Hydraulic Pump"),
        one("Relief Valve"),
        one("Filter Head"),
        some("Suction Hose", 1, 2),
        some("Return Hose", 1, 2),
        some("Hose Coupler", 2, 6),
        one("Hydraulic Tank Cap"),
      ],
    },
    {
      title: "Engine Filters",
      parts: [
        sold("Engine Oil Filter"),
        sold("Cab Air Filter"),
        one("Filter Bowl"),
        one("Filter Bracket"),
        one("Primer Bulb"),
        some("Bracket Bolt", 2, 4),
      ],
    },
    {
      title: "Cooling System",
      parts: [
        sold("Radiator Hose", 1, 2),
        sold("Water Pump"),
        one("Thermostat"),
        one("Radiator"),
        one("Radiator Cap"),
        one("Fan Belt"),
        one("Cooling Fan"),
        one("Thermostat Gasket"),
      ],
    },
    {
      title: "Charging and Lighting",
      parts: [
        sold("Alternator"),
        sold("Work Light", 2, 4),
        sold("Seat Switch"),
        one("Battery Cable"),
        one("Alternator Belt"),
        one("Light Bracket"),
        one("Wiring Harness"),
        some("Fuse Holder", 1, 4),
      ],
    },
    {
      title: "Driveline",
      parts: [
        sold("PTO Shaft"),
        sold("Universal Joint Kit", 2),
        one("Shaft Guard"),
        one("Slip Clutch Spring"),
        some("Shear Pin", 1, 4),
        some("Snap Ring", 4, 8),
        one("Yoke"),
      ],
    },
    {
      title: "Axle and Brakes",
      parts: [
        sold("Wheel Bearing", 2, 4),
        sold("Brake Disc", 4, 8),
        some("Axle Seal", 2, 2),
        some("Hub Cap", 2, 2),
        some("Wheel Stud", 10, 16),
        some("Brake Rod", 2, 2),
        some("Brake Spring", 2, 4),
      ],
    },
    {
      title: "Knotter and Pickup",
      parts: [
        sold("Knotter Bill Hook", 2),
        sold("Pickup Tine", 48, 96),
        sold("Sickle Section", 12, 24),
        some("Twine Finger", 2, 2),
        some("Knotter Cam", 2, 2),
        some("Tine Bar", 4, 6),
        one("Pickup Reel Bearing"),
      ],
    },
  ],
  sprayer: [
    {
      title: "Flow Control",
      parts: [
        sold("Flow Meter"),
        one("Control Valve"),
        one("Strainer"),
        one("Flange Gasket"),
        one("Meter Turbine"),
        some("Flange Clamp", 2, 4),
        one("Meter Bearing Kit"),
      ],
    },
    {
      title: "Boom Valves",
      parts: [
        sold("Boom Valve", 3, 7),
        some("Valve Seal", 3, 7),
        some("Valve Coil", 3, 7),
        some("Manifold Clamp", 4, 8),
        one("Boom Manifold"),
        one("Valve Harness"),
      ],
    },
    {
      title: "Nozzles",
      parts: [
        sold("Spray Nozzle", 18, 48),
        some("Nozzle Cap", 18, 48),
        some("Nozzle Body", 18, 48),
        some("Nozzle Gasket", 18, 48),
        some("Nozzle Strainer", 18, 48),
      ],
    },
    {
      title: "Console and Sensors",
      parts: [
        sold("Pressure Sensor", 1, 2),
        sold("Console Cable"),
        one("Console"),
        one("Console Bracket"),
        one("Speed Sensor"),
        one("Power Cable"),
        some("Cable Tie Mount", 4, 9),
      ],
    },
  ],
  any: [
    {
      title: "Front Axle and Steering",
      parts: [
        one("Steering Wheel"),
        one("Steering Shaft"),
        some("Tie Rod", 1, 2),
        some("Ball Joint", 2, 4),
        some("Front Spindle", 2, 2),
        one("Sector Gear"),
        one("Pinion Gear"),
        some("Axle Bushing", 2, 4),
      ],
    },
    {
      title: "Wheels",
      parts: [
        some("Front Tire", 2, 2),
        some("Front Rim", 2, 2),
        some("Inner Tube", 2, 2),
        some("Rear Tire", 2, 2),
        some("Rear Rim", 2, 2),
        some("Valve Stem", 4, 4),
        some("Lug Nut", 8, 10),
      ],
    },
    {
      title: "Hood and Grille",
      parts: [
        one("Hood"),
        one("Grille"),
        some("Headlight", 2, 2),
        some("Hood Hinge", 2, 2),
        one("Hood Latch"),
        some("Hood Bumper", 2, 4),
        one("Grille Screen"),
      ],
    },
    {
      title: "Seat",
      parts: [
        one("Seat"),
        some("Seat Spring", 2, 2),
        one("Seat Bracket"),
        one("Seat Adjuster"),
        some("Armrest", 2, 2),
        one("Seat Belt"),
      ],
    },
    {
      title: "Frame",
      parts: [
        one("Main Frame"),
        one("Footrest"),
        some("Foot Pad", 2, 2),
        some("Frame Brace", 2, 4),
        one("Hitch Plate"),
        one("Rear Fender"),
        one("Front Bumper"),
      ],
    },
    {
      title: "Decals",
      parts: [
        one("Warning Decal"),
        one("Hood Decal"),
        some("Side Decal", 2, 2),
        one("Fuel Decal"),
        one("Service Decal"),
      ],
    },
  ],
};

/** Found in several figures of a manual under the same number each time. */
export const HARDWARE: readonly (readonly [name: string, sizes: readonly string[]])[] = [
  ["Bolt", ["3/8-16 x 1-1/4", "5/16-18 x 3/4", "M8 x 1.25 x 30", "1/2-13 x 2"]],
  ["Washer", ["3/8", "M8", "5/16 Flat", "1/2 Lock"]],
  ["Nut", ["3/8-16", "M8 x 1.25", "5/16-18 Nylock", "1/2-13"]],
  ["Screw", ["1/4-20 x 3/4", "M6 x 1.0 x 16", "#10-24 x 1/2"]],
  ["Cotter Pin", ["1/8 x 1", "3/32 x 3/4"]],
];
