/** First steps. */
export const firstSteps = {
  firstStepsIntro:
    'Five steps from a note to a lesson that a person approved. Each has a button, and the same call as curl.',
  nothingIsDeleted:
    'Nothing is deleted: what these steps write stays in the Scope below. A second click changes nothing.',
  scopeOfSteps: 'Scope of these steps',
  done: 'done',
  stepDone: (button: string) => `${button}: done.`,
  capture: 'Capture',
  search: 'Search',
  propose: 'Propose',
  stepCapture: '1. Capture a note',
  stepCaptureWhy: 'Agents capture evidence under an id of their own.',
  stepFlush: '2. Extract Memory from it',
  stepFlushWhy: 'A worker reads what waits, and extracts statements.',
  showSource: 'Show the Source',
  showEntries: 'Show the entries',
  stepSearch: '3. Search Memory',
  stepSearchWhy: 'Agents search by words of a question.',
  stepExplain: '4. Prepare a context, and see why',
  stepExplainWhy: 'Before each turn, an agent requests its context. Here you see what is in it, and why.',
  showWhy: 'Ask why a sentence is in it or not',
  stepPropose: '5. Propose a lesson',
  stepProposeWhy: 'Agents propose what they learned, with its evidence. A person decides on the page Review.',
};
