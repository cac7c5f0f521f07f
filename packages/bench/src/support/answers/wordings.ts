/** How people ask. `{name}` a part, `{names}` several of it, `{model}` an equipment, `{number}` a part number. */
export const WORDINGS = {
  part: [
    "What {name} fits my {model}?",
    "Which {name} do I need for a {model}?",
    "I need a new {name} for my {model}",
    "part number of the {name} for {model}",
    "Looking for the {name} on a {model}.",
    "My {model} needs a {name}. Which one is it?",
    "{name} {model}",
    "Can you tell me the part number for a {model} {name}?",
    "The {name} of my {model} is broken, what do I order?",
  ],
  quantity: [
    "How many {names} does the {model} have?",
    "How many {names} are on a {model}?",
    "How many {names} do I need for my {model}?",
    "What quantity of {name} does a {model} take?",
    "number of {names} on the {model}",
  ],
  page: [
    "On which page of the {model} manual is the {name}?",
    "Where in the {model} manual do I find the {name}?",
    "Which page shows the {name} for the {model}?",
  ],
  replaced: [
    "What replaces {number}?",
    "Is {number} still available, or is there a new number?",
    "{number} superseded by",
    "I was told that {number} was replaced. By what?",
  ],
  number: [
    "{number}",
    "Do you have {number}?",
    "How much is {number}?",
    "price and stock of {number}",
    "I need part number {number}",
  ],
  equipment: [
    "Which machines use {number}?",
    "What does {number} fit?",
    "Which models is part {number} for?",
    "what equipment has part number {number}",
  ],
  several: [
    "What {first} and what {second} fit my {model}, and how many {thirds} does it have?",
    "For a {model} I need the {first}, the {second}, and how many {thirds} there are.",
    "What {first} fits my {model}? And which {second}? How many {thirds} do I need?",
  ],
} as const;

/** No manual that is generated has these. */
export const ABSENT_PARTS = [
  "windshield wiper",
  "turbocharger",
  "cup holder",
  "espresso machine",
  "air conditioner compressor",
  "snorkel",
  "rear view camera",
  "trailer brake",
  "periscope",
];

export const OFF_TOPIC = [
  "What is the capital of France?",
  "Write me a poem about the sea.",
  "Who won the world cup in 1998?",
  "How do I boil an egg?",
  "What is the weather tomorrow?",
  "Tell me a joke.",
  "What is 17 times 23?",
  "Translate good morning into Spanish.",
];

/** Several of what a name names. */
export function many(name: string): string {
  if (/(s|x|ch|sh)$/.test(name)) return `${name}es`;
  return /[^aeo]y$/.test(name) ? `${name.slice(0, -1)}ies` : `${name}s`;
}
