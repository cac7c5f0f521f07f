/** Subjects of a manual's figures. `line` is the kind of catalog part, if the catalog has one. */
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

const namePart = (name: string): NamedPart => ({ name, quantity: [1, 1] });
const nameParts = (name: string, from: number, to: number): NamedPart => ({ name, quantity: [from, to] });
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
        namePart("Carburetor Gasket"),
        namePart("Float Bowl"),
        namePart("Bowl Nut"),
        namePart("Needle Valve"),
        namePart("Float Pin"),
        namePart("Choke Shaft"),
        namePart("Throttle Plate"),
        nameParts("Throttle Screw", 2, 3),
        namePart("Idle Mixture Screw"),
        namePart("Fuel Solenoid"),
      ],
    },
    {
      title: "Air Cleaner",
      parts: [
        sold("Air Filter"),
        sold("Air Filter Pre-Cleaner"),
        namePart("Air Cleaner Cover"),
        nameParts("Cover Knob", 1, 2),
        namePart("Air Cleaner Base"),
        namePart("Breather Tube"),
        nameParts("Base Screw", 2, 4),
      ],
    },
    {
      title: "Fuel Tank and Lines",
      parts: [
        sold("Fuel Filter"),
        sold("Fuel Pump"),
        sold("Fuel Tank Cap"),
        namePart("Fuel Tank"),
        nameParts("Fuel Line", 1, 3),
        nameParts("Hose Clamp", 4, 8),
        namePart("Shut-Off Valve"),
        namePart("Tank Grommet"),
      ],
    },
    {
      title: "Ignition",
      parts: [
        sold("Spark Plug", 1, 2),
        sold("Ignition Coil", 1, 2),
        sold("Flywheel"),
        namePart("Flywheel Key"),
        namePart("Flywheel Nut"),
        namePart("Kill Switch"),
        nameParts("Coil Screw", 2, 4),
        namePart("Fan Blade Retainer"),
      ],
    },
    {
      title: "Starter",
      parts: [
        sold("Starter Motor"),
        sold("Recoil Starter"),
        namePart("Starter Solenoid"),
        namePart("Starter Rope"),
        namePart("Rope Handle"),
        namePart("Starter Drive Gear"),
        nameParts("Starter Bolt", 2, 3),
        namePart("Ratchet Pawl"),
      ],
    },
    {
      title: "Lubrication",
      parts: [
        sold("Oil Filter"),
        sold("Oil Pump"),
        sold("Oil Seal", 2),
        namePart("Dipstick"),
        namePart("Drain Plug"),
        namePart("Oil Pan"),
        namePart("Oil Pan Gasket"),
        nameParts("Pan Bolt", 6, 12),
        namePart("Oil Pressure Switch"),
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
        nameParts("Piston Pin", 1, 2),
        nameParts("Intake Valve", 1, 2),
        nameParts("Exhaust Valve", 1, 2),
        nameParts("Valve Spring", 2, 4),
        nameParts("Head Bolt", 4, 10),
      ],
    },
    {
      title: "Crankshaft and Camshaft",
      parts: [
        sold("Crankshaft"),
        sold("Camshaft"),
        namePart("Crankshaft Key"),
        nameParts("Main Bearing", 1, 2),
        namePart("Thrust Washer"),
        nameParts("Valve Tappet", 2, 4),
        namePart("Governor Gear"),
      ],
    },
    {
      title: "Exhaust",
      parts: [
        sold("Muffler"),
        nameParts("Muffler Gasket", 1, 2),
        namePart("Heat Shield"),
        nameParts("Exhaust Stud", 2, 4),
        nameParts("Muffler Bracket", 1, 2),
        namePart("Spark Arrester"),
      ],
    },
    {
      title: "Controls",
      parts: [
        sold("Throttle Cable"),
        sold("Governor Spring"),
        namePart("Governor Lever"),
        namePart("Control Bracket"),
        namePart("Choke Cable"),
        namePart("Idle Spring"),
        nameParts("Cable Clip", 2, 4),
        namePart("Voltage Regulator Bracket"),
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
        nameParts("Blade Washer", 2, 3),
        sold("Deck Belt"),
        nameParts("Deck Hanger", 2, 4),
        sold("Discharge Chute"),
        namePart("Chute Hinge Pin"),
        namePart("Chute Spring"),
        namePart("Deck Shell"),
        nameParts("Belt Cover", 1, 2),
      ],
    },
    {
      title: "Blade Spindle",
      parts: [
        sold("Blade Spindle Assembly", 2, 3),
        nameParts("Spindle Bearing", 4, 6),
        nameParts("Spindle Shaft", 2, 3),
        nameParts("Spindle Housing", 2, 3),
        nameParts("Spindle Pulley", 2, 3),
        nameParts("Spindle Nut", 2, 3),
        nameParts("Grease Fitting", 2, 6),
        nameParts("Bearing Spacer", 2, 3),
      ],
    },
    {
      title: "Belt Drive",
      parts: [
        sold("Drive Belt"),
        sold("Idler Pulley", 1, 3),
        sold("Electric Clutch"),
        namePart("Idler Arm"),
        namePart("Idler Spring"),
        namePart("Belt Guide"),
        namePart("Clutch Bolt"),
        namePart("Engine Pulley"),
        nameParts("Belt Keeper", 2, 5),
      ],
    },
    {
      title: "Gauge Wheels",
      parts: [
        sold("Deck Wheel", 2, 4),
        nameParts("Wheel Axle Bolt", 2, 4),
        nameParts("Wheel Bushing", 4, 8),
        nameParts("Wheel Bracket", 2, 4),
        nameParts("Hair Pin", 2, 4),
      ],
    },
    {
      title: "Gearbox",
      parts: [
        sold("Gearbox"),
        namePart("Input Shaft"),
        namePart("Output Shaft"),
        nameParts("Gearbox Seal", 2, 3),
        namePart("Vent Plug"),
        namePart("Gearbox Cover"),
        nameParts("Cover Gasket", 1, 2),
      ],
    },
    {
      title: "Deck Lift",
      parts: [
        sold("Lift Cylinder"),
        sold("Hydraulic Hose", 2, 4),
        nameParts("Lift Arm", 2, 2),
        nameParts("Lift Link", 2, 4),
        nameParts("Cylinder Pin", 2, 2),
        namePart("Lift Handle"),
        nameParts("Hose Fitting", 2, 6),
      ],
    },
  ],
  tractor: [
    {
      title: "Hydraulic System",
      parts: [
        sold("Hydraulic Filter", 1, 2),
        namePart("Hydraulic Pump"),
        namePart("Relief Valve"),
        namePart("Filter Head"),
        nameParts("Suction Hose", 1, 2),
        nameParts("Return Hose", 1, 2),
        nameParts("Hose Coupler", 2, 6),
        namePart("Hydraulic Tank Cap"),
      ],
    },
    {
      title: "Engine Filters",
      parts: [
        sold("Engine Oil Filter"),
        sold("Cab Air Filter"),
        namePart("Filter Bowl"),
        namePart("Filter Bracket"),
        namePart("Primer Bulb"),
        nameParts("Bracket Bolt", 2, 4),
      ],
    },
    {
      title: "Cooling System",
      parts: [
        sold("Radiator Hose", 1, 2),
        sold("Water Pump"),
        namePart("Thermostat"),
        namePart("Radiator"),
        namePart("Radiator Cap"),
        namePart("Fan Belt"),
        namePart("Cooling Fan"),
        namePart("Thermostat Gasket"),
      ],
    },
    {
      title: "Charging and Lighting",
      parts: [
        sold("Alternator"),
        sold("Work Light", 2, 4),
        sold("Seat Switch"),
        namePart("Battery Cable"),
        namePart("Alternator Belt"),
        namePart("Light Bracket"),
        namePart("Wiring Harness"),
        nameParts("Fuse Holder", 1, 4),
      ],
    },
    {
      title: "Driveline",
      parts: [
        sold("PTO Shaft"),
        sold("Universal Joint Kit", 2),
        namePart("Shaft Guard"),
        namePart("Slip Clutch Spring"),
        nameParts("Shear Pin", 1, 4),
        nameParts("Snap Ring", 4, 8),
        namePart("Yoke"),
      ],
    },
    {
      title: "Axle and Brakes",
      parts: [
        sold("Wheel Bearing", 2, 4),
        sold("Brake Disc", 4, 8),
        nameParts("Axle Seal", 2, 2),
        nameParts("Hub Cap", 2, 2),
        nameParts("Wheel Stud", 10, 16),
        nameParts("Brake Rod", 2, 2),
        nameParts("Brake Spring", 2, 4),
      ],
    },
    {
      title: "Knotter and Pickup",
      parts: [
        sold("Knotter Bill Hook", 2),
        sold("Pickup Tine", 48, 96),
        sold("Sickle Section", 12, 24),
        nameParts("Twine Finger", 2, 2),
        nameParts("Knotter Cam", 2, 2),
        nameParts("Tine Bar", 4, 6),
        namePart("Pickup Reel Bearing"),
      ],
    },
  ],
  sprayer: [
    {
      title: "Flow Control",
      parts: [
        sold("Flow Meter"),
        namePart("Control Valve"),
        namePart("Strainer"),
        namePart("Flange Gasket"),
        namePart("Meter Turbine"),
        nameParts("Flange Clamp", 2, 4),
        namePart("Meter Bearing Kit"),
      ],
    },
    {
      title: "Boom Valves",
      parts: [
        sold("Boom Valve", 3, 7),
        nameParts("Valve Seal", 3, 7),
        nameParts("Valve Coil", 3, 7),
        nameParts("Manifold Clamp", 4, 8),
        namePart("Boom Manifold"),
        namePart("Valve Harness"),
      ],
    },
    {
      title: "Nozzles",
      parts: [
        sold("Spray Nozzle", 18, 48),
        nameParts("Nozzle Cap", 18, 48),
        nameParts("Nozzle Body", 18, 48),
        nameParts("Nozzle Gasket", 18, 48),
        nameParts("Nozzle Strainer", 18, 48),
      ],
    },
    {
      title: "Console and Sensors",
      parts: [
        sold("Pressure Sensor", 1, 2),
        sold("Console Cable"),
        namePart("Console"),
        namePart("Console Bracket"),
        namePart("Speed Sensor"),
        namePart("Power Cable"),
        nameParts("Cable Tie Mount", 4, 9),
      ],
    },
  ],
  any: [
    {
      title: "Front Axle and Steering",
      parts: [
        namePart("Steering Wheel"),
        namePart("Steering Shaft"),
        nameParts("Tie Rod", 1, 2),
        nameParts("Ball Joint", 2, 4),
        nameParts("Front Spindle", 2, 2),
        namePart("Sector Gear"),
        namePart("Pinion Gear"),
        nameParts("Axle Bushing", 2, 4),
      ],
    },
    {
      title: "Wheels",
      parts: [
        nameParts("Front Tire", 2, 2),
        nameParts("Front Rim", 2, 2),
        nameParts("Inner Tube", 2, 2),
        nameParts("Rear Tire", 2, 2),
        nameParts("Rear Rim", 2, 2),
        nameParts("Valve Stem", 4, 4),
        nameParts("Lug Nut", 8, 10),
      ],
    },
    {
      title: "Hood and Grille",
      parts: [
        namePart("Hood"),
        namePart("Grille"),
        nameParts("Headlight", 2, 2),
        nameParts("Hood Hinge", 2, 2),
        namePart("Hood Latch"),
        nameParts("Hood Bumper", 2, 4),
        namePart("Grille Screen"),
      ],
    },
    {
      title: "Seat",
      parts: [
        namePart("Seat"),
        nameParts("Seat Spring", 2, 2),
        namePart("Seat Bracket"),
        namePart("Seat Adjuster"),
        nameParts("Armrest", 2, 2),
        namePart("Seat Belt"),
      ],
    },
    {
      title: "Frame",
      parts: [
        namePart("Main Frame"),
        namePart("Footrest"),
        nameParts("Foot Pad", 2, 2),
        nameParts("Frame Brace", 2, 4),
        namePart("Hitch Plate"),
        namePart("Rear Fender"),
        namePart("Front Bumper"),
      ],
    },
    {
      title: "Decals",
      parts: [
        namePart("Warning Decal"),
        namePart("Hood Decal"),
        nameParts("Side Decal", 2, 2),
        namePart("Fuel Decal"),
        namePart("Service Decal"),
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
