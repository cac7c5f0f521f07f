/** Nouns of parts beside those of the sandbox's product lines, by category, so that a large catalog has a large vocabulary. */
export const NOUNS: Readonly<Record<string, readonly string[]>> = {
  Hardware: ["Hex Bolt", "Carriage Bolt", "Lock Nut", "Flange Nut", "Flat Washer", "Spring Washer", "Cotter Pin", "Clevis Pin", "Roll Pin", "Snap Ring", "Hose Clamp", "Grease Fitting", "Woodruff Key", "Wing Nut", "Thumb Screw", "Rivet"],
  "Fuel System": ["Fuel Line", "Fuel Shut-Off Valve", "Primer Bulb", "Injector Nozzle", "Injection Pump", "Fuel Tank", "Fuel Gauge", "Float Bowl", "Choke Lever", "Needle Valve"],
  Electrical: ["Ignition Switch", "Wiring Harness", "Battery Cable", "Fuse Holder", "Circuit Breaker", "Solenoid", "Hour Meter", "Indicator Lamp", "Relay", "Stator", "Brake Switch", "Temperature Sender"],
  Cooling: ["Radiator", "Radiator Cap", "Thermostat", "Fan Belt", "Cooling Fan", "Fan Shroud", "Expansion Tank", "Coolant Temperature Sensor"],
  Bearings: ["Ball Bearing", "Needle Bearing", "Thrust Bearing", "Pillow Block", "Bearing Housing", "Bearing Cone", "Bushing", "Sleeve"],
  Drivelines: ["Drive Shaft", "Sprocket", "Roller Chain", "Chain Link", "Coupler", "Slip Clutch", "Friction Disc", "Shaft Guard", "Yoke", "Spline Hub"],
  Hydraulics: ["Hydraulic Pump", "Control Valve", "Relief Valve", "Quick Coupler", "O-Ring", "Cylinder Seal Kit", "Hydraulic Motor", "Pressure Gauge", "Spool", "Check Valve"],
  "Deck Parts": ["Deck Shell", "Height Adjuster", "Belt Cover", "Spindle Housing", "Spindle Shaft", "Blade Adapter", "Baffle", "Gauge Roller", "Mulch Plug", "Skid Shoe"],
  Steering: ["Tie Rod", "Drag Link", "Steering Wheel", "Steering Gear", "Ball Joint", "King Pin", "Spindle Arm", "Control Lever", "Lap Bar", "Damper"],
  "Hay Tools": ["Knotter Frame", "Twine Finger", "Needle", "Pickup Cam", "Rotor", "Rake Tooth", "Disc Mower Knife", "Crop Divider", "Conditioner Roll", "Windguard"],
  Tillage: ["Plow Point", "Disc Blade", "Sweep", "Shank", "Coulter", "Press Wheel", "Seed Tube", "Chisel Spike", "Moldboard", "Harrow Tooth"],
  Body: ["Seat", "Seat Cushion", "Hood", "Fender", "Grille", "Decal Set", "Mirror", "Windshield", "Door Latch", "Gas Spring", "Step", "Bumper", "Canopy"],
  "Sprayer Parts": ["Diaphragm Pump", "Strainer", "Nozzle Cap", "Nozzle Body", "Boom Hinge", "Agitator", "Tank Lid", "Hand Gun", "Pressure Regulator"],
  Brakes: ["Brake Pad", "Brake Shoe", "Brake Drum", "Brake Cable", "Master Cylinder", "Wheel Cylinder", "Brake Lining", "Caliper"],
};

export const QUALIFIERS = [
  "Left", "Right", "Front", "Rear", "Upper", "Lower", "Inner", "Outer", "Heavy Duty", "Reinforced", "Zinc Plated", "Stainless", "Welded",
  "Adjustable", "Sealed", "Molded", "Forged", "Extended", "Narrow", "Wide",
] as const;
