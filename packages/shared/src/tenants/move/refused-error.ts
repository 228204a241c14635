/** A move that cannot begin, or go on, until the operator has done what the message says. This run has switched nothing. */
export class MoveRefusedError extends Error {
  override name = 'MoveRefusedError';
}

/** Another run of the command has taken the move over, and may have switched. This one must change nothing any more. */
export class TakenOverError extends MoveRefusedError {
  constructor() {
    super('Another run of the command has taken this move over.');
  }
}
