import { generateManual } from "./generate.ts";
import { SAMPLE_MANUALS, type SampleName } from "./samples.ts";

/** Writes the sample manual that its argument names to its output, and ends. */
const { seed, options } = SAMPLE_MANUALS[process.argv[2] as SampleName];
const { pdf } = await generateManual(seed, options);
process.stdout.end(pdf);
