/** A query and a passage about one subject, which no other pair is about. */
interface BaselinePair {
  query: string;
  passage: string;
}

/** The texts that measure the baseline of a vector space (spec 26 S9). A change of one changes the scores of each new profile. */
export const baselinePairs: readonly BaselinePair[] = [
  {
    query: 'when is high tide in the harbour',
    passage: 'The harbour master posts high and low water for the coming week beside the pier.',
  },
  {
    query: 'how long should sourdough rest before baking',
    passage: 'Let the sourdough rise overnight in a cool kitchen and bake it on a hot stone.',
  },
  {
    query: 'which index makes the orders query slow',
    passage: 'The planner ignores a partial index of the orders table because of the cast in the filter.',
  },
  {
    query: 'what did the referee decide after the second half',
    passage: 'Extra time ended without a goal, so the cup final went to penalties.',
  },
  {
    query: 'symptoms of vitamin D deficiency',
    passage: 'Patients with weak bones often get too little sunlight and need supplements in winter.',
  },
  {
    query: 'who composed the cello suites',
    passage: 'Bach wrote six suites for an unaccompanied cello while he served at Köthen.',
  },
  {
    query: 'how do I renew my passport',
    passage:
      'Bring two photographs and the expired document to the citizens’ office to apply for a travel document.',
  },
  {
    query: 'do penguins live near the equator',
    passage: 'A small colony of seabirds that cannot fly breeds on the Galápagos islands.',
  },
  {
    query: 'rotate the signing key of the token service',
    passage: 'Credentials of the login backend are replaced every ninety days by a scheduled job.',
  },
  {
    query: 'why did the Roman aqueducts fall into ruin',
    passage: 'Once nobody maintained the arches, the water supply of ancient cities silted up and collapsed.',
  },
  {
    query: 'notice period for leaving a rented flat',
    passage: 'Tenants have to give three months’ written notice to the landlord.',
  },
  {
    query: 'how hot does a blast furnace get',
    passage: 'Molten iron leaves the smelter at about fifteen hundred degrees Celsius.',
  },
  {
    query: 'what is inflation this quarter',
    passage: 'Consumer prices rose by two percent against last year, according to the central bank.',
  },
  {
    query: 'train a puppy not to bite',
    passage: 'Young dogs learn to be gentle when playing stops at every nip.',
  },
  {
    query: 'moons of Jupiter that have ice',
    passage: 'Europa hides an ocean under a frozen crust, as photographs of the space probe suggest.',
  },
  {
    query: 'colour of the meeting room on the third floor',
    passage: 'Conference space upstairs was painted green when the office was renovated.',
  },
];
