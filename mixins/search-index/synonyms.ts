/**
 * Words and phrases of the same meaning at a parts counter. Each may replace the others in any query: a narrower word
 * (`mower blade` for `blade`), a neighbour (`shear pin` for `shear bolt`) or a misspelling is not here. The index
 * handles plurals, case and punctuation.
 */
const GROUPS = `
# Engine and fuel
carburetor, carb, carburettor
spark plug, sparkplug
glow plug, glowplug
air filter, air cleaner
fuel filter, gas filter
fuel pump, gas pump
fuel tank, gas tank, petrol tank
fuel cap, fuel tank cap, gas cap, gas tank cap
fuel line, gas line, fuel hose
fuel gauge, gas gauge
fuel shut off valve, fuel shutoff valve, fuel tap, fuel cock
float bowl, carburetor bowl, fuel bowl
primer bulb, priming bulb
muffler, silencer
spark arrestor, spark arrester
crankshaft, crank shaft
crankcase, crank case
camshaft, cam shaft
connecting rod, conrod, con rod
valve cover, rocker cover
head gasket, cylinder head gasket
gasket kit, gasket set
engine oil, motor oil
oil pan, oil sump
drain plug, sump plug
dipstick, dip stick
coolant pump, water pump
coolant hose, radiator hose
coolant, antifreeze
flywheel, fly wheel
generator, genset

# Starting and electrics
recoil starter, rewind starter, pull starter
starter rope, starter cord, recoil rope, pull cord
starter motor, starting motor, electric starter
starter solenoid, starter relay
ignition coil, ignition module, ignition armature
ignition switch, key switch
safety switch, interlock switch
wiring harness, wire harness, wiring loom
voltage regulator, regulator rectifier, rectifier regulator
battery cable, battery lead
headlight, head light, headlamp
taillight, tail light, tail lamp
work light, work lamp
flow meter, flowmeter, flow sensor
pressure sensor, pressure transducer
hour meter, hourmeter
tachometer, tach

# Drive
v-belt, vee belt, vbelt
idler pulley, tensioner pulley
driveshaft, drive shaft
power take off, power takeoff, pto
pto shaft, pto driveshaft, pto drive shaft, pto driveline
electric clutch, electric pto clutch, pto clutch
universal joint, u-joint, ujoint
gearbox, gear box
clutch disc, clutch plate
friction disc, friction wheel, friction ring
hydrostatic transmission, hydrostatic drive
hydraulic, hyd
hydraulic cylinder, hydraulic ram
quick coupler, quick coupling, quick disconnect
throttle cable, accelerator cable
tie rod end, track rod end
master link, connecting link

# Bearings, pins and fasteners
pillow block, plummer block
tapered bearing, taper bearing, tapered roller bearing, taper roller bearing
grease fitting, grease nipple, zerk
o-ring, oring
snap ring, circlip, retaining ring
cotter pin, cotter key, split pin
linchpin, lynchpin, lynch pin
hitch pin clip, hairpin clip, r-clip
roll pin, spring pin
hex bolt, hex head bolt, hex cap screw
set screw, grub screw
lock nut, locknut
lock washer, lockwasher
wing nut, wingnut
u-bolt, ubolt
eye bolt, eyebolt

# Cutting and attachments
mower deck, cutting deck, mowing deck
mower blade, lawn mower blade, lawnmower blade
spindle, mandrel
deck wheel, anti-scalp wheel, gauge wheel
mulching blade, mulcher blade
grass catcher, grass bag, grass collector
trimmer line, trimmer string
skid shoe, slide shoe
spray nozzle, spray tip
sickle section, knife section
pickup tine, pickup tooth, pickup teeth, baler tine
knotter billhook, knotter bill hook
disc, disk
plow, plough
baler twine, baling twine
three point hitch, 3 point hitch, 3pt hitch
front end loader, front loader

# Machines
lawn mower, lawnmower
riding mower, ride on mower
zero turn, zero turn radius, ztr
chainsaw, chain saw
string trimmer, line trimmer, weed trimmer, weed eater, weed whacker, strimmer
hedge trimmer, hedge cutter
brush cutter, brushcutter
rotary cutter, brush hog
rotary tiller, rototiller
snow blower, snowblower, snow thrower, snowthrower
log splitter, wood splitter
pressure washer, power washer
post hole digger, posthole digger, post hole auger
skid steer, skidsteer, skid loader
all terrain vehicle, atv, quad bike
utility vehicle, utv, side by side

# Tires and wheels
tire, tyre
inner tube, tire tube
valve stem, tire valve
rim, wheel rim
lug nut, wheel nut
lug bolt, wheel bolt
wheel stud, lug stud
caster, castor
agricultural tire, ag tire, farm tire
hub cap, hubcap

# How parts lists write
assembly, assy
left hand, lh
right hand, rh
standard, std
repair kit, rebuild kit, overhaul kit
tune up kit, maintenance kit, service kit
operators manual, owners manual
decal, sticker
gauge, gage
aluminum, aluminium
gray, grey
`;

export const SYNONYMS: readonly (readonly string[])[] = GROUPS.split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => line.split(", "));
